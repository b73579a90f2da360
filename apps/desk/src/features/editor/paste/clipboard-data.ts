/** The data that a program put on the clipboard. `files` counts the pictures among its files. */
export type Clipboard = { html: string; text: string; files: number }

/** Reads what is pasted or dropped. The data is gone once its event is over. */
export function readData(data: DataTransfer): Clipboard {
  return {
    html: data.getData('text/html'),
    text: data.getData('text/plain'),
    files: [...data.files].filter(({ type }) => type.startsWith('image/')).length,
  }
}

/** Says how many pictures of what was pasted are left out; empty for none. */
export function leftOut(pictures: number): string {
  if (pictures === 0) return ''
  return `Left out: ${pictures} ${pictures === 1 ? 'picture' : 'pictures'}.`
}
