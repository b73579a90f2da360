/** Saves rows as a CSV file of this name, without its ending. */
export function saveCsv(name: string, rows: readonly (readonly string[])[]): void {
  const text = rows.map((row) => row.map(cellOf).join(',')).join('\r\n')
  const url = URL.createObjectURL(new Blob([`\uFEFF${text}\r\n`], { type: 'text/csv;charset=utf-8' }))
  const link = document.createElement('a')
  link.href = url
  link.download = `${name}.csv`
  link.click()
  URL.revokeObjectURL(url)
}

// Spreadsheets run a cell that begins like a formula.
function cellOf(text: string): string {
  const plain = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}
