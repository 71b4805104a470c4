/*
 * A photo that is on its way is remembered by this tab alone, so that it goes on after the page was loaded anew, for the same purchase.
 * Which photo that is says `photos.js`.
 */

export const pendingPhotos = (purchase) => ({
  /** `signal` says that another photo was chosen meanwhile. */
  write: async (name, photo, key, bytes, signal) => {
    try {
      const read = new Uint8Array(await bytes)
      if (signal.aborted) return
      const text = read.reduce((sum, byte) => sum + String.fromCharCode(byte), "")
      sessionStorage.setItem(`photo-${name}`, JSON.stringify({ key, purchase, type: photo.type, text: btoa(text) }))
    } catch {
      // No storage, or too little of it: after a reload the photo is taken again.
    }
  },
  read: (name) => {
    try {
      const { key, purchase: waitsFor, text, type } = JSON.parse(sessionStorage.getItem(`photo-${name}`))
      if (waitsFor !== purchase) return null
      return { key, photo: new Blob([Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))], { type }) }
    } catch {
      return null
    }
  },
  forget: (name) => {
    try {
      sessionStorage.removeItem(`photo-${name}`)
    } catch {
      // Nothing is remembered.
    }
  }
})
