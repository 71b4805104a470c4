/**
 * Reasons that a company keeps ready: the one that a reviewer chooses is put into the field of the reason, in place of the one that was
 * chosen before. What the reviewer wrote stays, and the chosen reason comes behind it. Without this script the choice is sent as a field of its
 * own, so the browser must not ask for a reason that is written.
 */
for (const label of document.querySelectorAll("[data-ready-reasons]")) {
  const choice = label.querySelector("select")
  const field = document.getElementById(choice.dataset.fills)
  let put = ""

  choice.addEventListener("change", () => {
    const written =
      put !== "" && field.value.endsWith(put) ? field.value.slice(0, -put.length).trimEnd() : field.value.trimEnd()
    put = choice.value
    field.value = [written, put].filter((text) => text !== "").join(" ")
  })
  choice.removeAttribute("name")
  choice.form.noValidate = false
}
