/*
 * The page of the identity check, where scripts run: shows each chosen photo, makes large ones smaller before they are
 * sent, and says that something is happening. Without it the form works just the same.
 */
const form = document.querySelector("form[data-largest]")
const largestBytes = Number(form?.dataset.largest)
/** A document stays readable, and a face has all that the check looks at. */
const longestSide = 2000
const quality = 0.9
/** A photo under this many bytes is sent as it is. */
const smallEnough = Math.min(1_500_000, largestBytes)

const smaller = async (file) => {
  const bitmap = await createImageBitmap(file)
  const scale = Math.min(1, longestSide / Math.max(bitmap.width, bitmap.height))
  const canvas = document.createElement("canvas")
  canvas.width = Math.round(bitmap.width * scale)
  canvas.height = Math.round(bitmap.height * scale)
  canvas.getContext("2d").drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  bitmap.close()
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", quality))
  return blob === null ? file : new File([blob], "photo.jpg", { type: "image/jpeg" })
}

const show = (input, file) => {
  const old = input.parentElement.querySelector("img")
  const image = old ?? document.createElement("img")
  if (old !== null) URL.revokeObjectURL(old.src)
  image.src = URL.createObjectURL(file)
  image.alt = "The photo you chose"
  if (old === null) input.after(image)
}

const chosen = async (input) => {
  const [file] = input.files
  if (file === undefined) return
  let photo = file
  try {
    if (file.size > smallEnough) photo = await smaller(file)
  } catch {
    // No browser could show it: what it is, is for the service to say.
    return
  }
  if (photo !== file) {
    const files = new DataTransfer()
    files.items.add(photo)
    input.files = files.files
  }
  show(input, photo)
}

if (form !== null) {
  /** Photos being made smaller. */
  let pending = Promise.resolve()
  for (const input of form.querySelectorAll("input[type=file]")) {
    input.addEventListener("change", () => {
      pending = pending.then(() => chosen(input))
    })
  }
  form.addEventListener("submit", async (event) => {
    event.preventDefault()
    const button = form.querySelector("button")
    button.disabled = true
    form.querySelector("[role=status]").textContent = "Sending and comparing your photos. This can take half a minute."
    await pending
    form.submit()
  })
  // Back from the next page: the form is as it was.
  addEventListener("pageshow", () => {
    form.querySelector("button").disabled = false
    form.querySelector("[role=status]").textContent = ""
  })
}

document.querySelector(".summary")?.focus()
