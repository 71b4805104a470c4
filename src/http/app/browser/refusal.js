/*
 * Says that a file is refused as the pages of the service say it: a summary above the form that leads to the field, the reason beside
 * the field, and the field marked as wrong. What is refused, and why, is the business of each page's script.
 */

const made = (tag, properties, ...children) => {
  const element = Object.assign(document.createElement(tag), properties)
  element.append(...children)
  return element
}

const linkTo = (input) => `.summary a[href="#${input.id}"]`

/** The summary's list, which the page may have come with. */
const listOf = (note) => {
  const known = document.querySelector(".summary ul")
  if (known !== null) return known
  document.querySelector(".summary")?.remove()
  const list = made("ul", {})
  const summary = made("div", { className: "summary", role: "alert", tabIndex: -1 }, made("h2", {}), list)
  if (note !== undefined) summary.append(made("p", { textContent: note }))
  document.querySelector("h1").after(summary)
  return list
}

/** The file of this field is refused no more. */
export const forgive = (input) => {
  document.getElementById(`${input.id}-error`)?.remove()
  input.closest(".field").classList.remove("wrong")
  input.removeAttribute("aria-invalid")
  document.querySelector(linkTo(input))?.closest("li").remove()
  const list = document.querySelector(".summary ul")
  if (list?.children.length === 0) list.closest(".summary").remove()
  else if (list !== null) sayHeading(list)
}

/** The summary's heading for so many fields; null while the page has refused none itself. */
let headingFor = null
const sayHeading = (list) => {
  if (headingFor !== null) list.closest(".summary").querySelector("h2").textContent = headingFor(list.children.length)
}

/** `headingOf`: the summary's heading for so many fields. `note`: what the summary says below the list. */
export const markRefused = (input, { error, headingOf, label, note, text }) => {
  forgive(input)
  const reason = made(
    "p",
    { className: "error", id: `${input.id}-error` },
    made("strong", { textContent: error }),
    ` ${text}`
  )
  input.before(reason)
  input.closest(".field").classList.add("wrong")
  input.setAttribute("aria-invalid", "true")
  const describedBy = new Set((input.getAttribute("aria-describedby") ?? "").split(" ").filter(Boolean))
  input.setAttribute("aria-describedby", [...describedBy.add(reason.id)].join(" "))
  const list = listOf(note)
  list.append(made("li", {}, made("a", { href: `#${input.id}`, textContent: `${label}: ${text}` })))
  headingFor = headingOf
  sayHeading(list)
  list.closest(".summary").focus()
}
