/** Escapes text for HTML, between tags and inside quoted attributes. */
const escapes: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

export const escapedHtml = (text: string): string =>
  text.replaceAll(/[&<>"']/g, (character) => escapes[character] ?? "")
