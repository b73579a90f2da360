/** The random edits of two browsers. More of them, or another seed, find more. */
export const twoBrowsers = {
  /** How often each of both does something: 25 take 20 seconds, 800 five minutes. */
  edits: () => Number(process.env.TWO_BROWSERS_EDITS ?? 25),
  seed: () => Number(process.env.TWO_BROWSERS_SEED ?? 37),
}
