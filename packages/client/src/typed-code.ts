import { findCode } from '@tidings/contracts/typed-text'

/** Returns the code in what a member typed or pasted. The server refuses a text without one. */
export function typedCode(text: string): string {
  return findCode(text) ?? text
}
