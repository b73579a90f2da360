import { balanceBidi } from '@tidings/paste/text/balance-bidi'

// Format characters that show nothing and join nothing. Joiners (U+200C, U+200D), directions, and the Arabic signs that
// stand before a number belong to the text.
const invisible =
  /[\u00ad\u180e\u200b\u2060-\u2064\u206a-\u206f\ufeff\ufff9-\ufffb\u{1bca0}-\u{1bca3}\u{1d173}-\u{1d17a}]/gu
// Tags spell the region of a flag behind a black flag, and are invisible anywhere else.
const flagOrTags = /(\u{1f3f4}[\u{e0020}-\u{e007e}]{1,6}\u{e007f})|[\u{e0000}-\u{e007f}]/gu

/** Returns the text on one line, without control characters, invisible ones, and directions that have no end. */
export function oneLine(text: string): string {
  const visible = text.replaceAll(invisible, '').replaceAll(flagOrTags, '$1')
  return balanceBidi(visible.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ')).trim()
}
