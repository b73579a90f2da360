import { digitsOf, findCode } from '@tidings/contracts/membership/typed-text'

/** The digits of a code, '' for an empty box. */
export type CodeDigits = readonly string[]

export const codeLength = 6
export const emptyCode: CodeDigits = Array.from({ length: codeLength }, () => '')

/** Spreads the digits of a text across the boxes from an index. A whole code starts at the first box. */
export function spreadDigits(
  digits: CodeDigits,
  text: string,
  index: number,
): { digits: CodeDigits; next: number } {
  const entered = findCode(text) ?? digitsOf(text).slice(0, codeLength)
  const start = entered.length === codeLength ? 0 : index
  const spread = digits.map((digit, box) => entered[box - start] ?? digit)
  return { digits: spread, next: Math.min(start + entered.length, codeLength - 1) }
}

/** Empties a box. */
export function clearDigit(digits: CodeDigits, index: number): CodeDigits {
  return digits.map((digit, box) => (box === index ? '' : digit))
}

/** Returns whether all boxes are filled. */
export function isComplete(digits: CodeDigits): boolean {
  return digits.every((digit) => digit !== '')
}
