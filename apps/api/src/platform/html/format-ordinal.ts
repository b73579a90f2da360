const roman = [
  ['m', 1000],
  ['cm', 900],
  ['d', 500],
  ['cd', 400],
  ['c', 100],
  ['xc', 90],
  ['l', 50],
  ['xl', 40],
  ['x', 10],
  ['ix', 9],
  ['v', 5],
  ['iv', 4],
  ['i', 1],
] as const

/** Returns the number of a list's item as browsers show it for a `type` of `<ol>`: 3, c, C, iii or III. */
export function formatOrdinal(number: number, type = '1'): string {
  const letters = type === 'a' || type === 'A' ? toLetters(number) : toRoman(number)
  if (type === '1' || letters === '') return String(number)
  return type === 'A' || type === 'I' ? letters.toUpperCase() : letters
}

function toLetters(number: number): string {
  let letters = ''
  for (let rest = number; rest > 0; rest = Math.floor((rest - 1) / 26)) {
    letters = String.fromCharCode(97 + ((rest - 1) % 26)) + letters
  }
  return letters
}

/** Returns nothing for a number that Roman numerals can't write. */
function toRoman(number: number): string {
  if (number > 3999) return ''
  let rest = number
  let letters = ''
  for (const [letter, value] of roman) {
    for (; rest >= value; rest -= value) letters += letter
  }
  return letters
}
