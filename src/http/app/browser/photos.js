/*
 * The script of the identity check's page: it shows each chosen photo, makes large photos smaller before they are sent, and
 * says that the check is running. The form works without this script, too. The service judges the photos.
 */
const form = document.querySelector("form[data-largest]")
const largestBytes = Number(form?.dataset.largest)
const limits = {
  /** Pixels: a document stays readable, and a face keeps what the check looks at. */
  side: 2000,
  quality: 0.9,
  /** Bytes: a smaller photo is sent as it is. */
  untouched: Math.min(1_500_000, largestBytes)
}

const smaller = async (file) => {
  const bitmap = await createImageBitmap(file)
  const scale = Math.min(1, limits.side / Math.max(bitmap.width, bitmap.height))
  const canvas = document.createElement("canvas")
  canvas.width = Math.round(bitmap.width * scale)
  canvas.height = Math.round(bitmap.height * scale)
  canvas.getContext("2d").drawImage(bitmap, 0, 0, canvas.width, canvas.height)
  bitmap.close()
  const blob = await new Promise((resolve) => canvas.toBlob(resolve, "image/jpeg", limits.quality))
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
    if (file.size > limits.untouched) photo = await smaller(file)
  } catch {
    // The browser cannot show the file: the service says what is wrong with it.
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
  /** Resolves when every chosen photo has been made smaller. */
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
  // The customer came back from the next page: the form can be sent again.
  addEventListener("pageshow", () => {
    form.querySelector("button").disabled = false
    form.querySelector("[role=status]").textContent = ""
  })
}

document.querySelector(".summary")?.focus()
