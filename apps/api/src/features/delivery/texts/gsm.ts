/** The basic characters of GSM 03.38, which take one place each. */
const basic = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
)

/** Its extension, which takes two. */
const extended = new Set('\f^{}\\[~]|€')

/** What says the same in GSM 03.38. */
const replacements: Readonly<Record<string, string>> = {
  '‘': "'",
  '’': "'",
  '‚': "'",
  '′': "'",
  '“': '"',
  '”': '"',
  '„': '"',
  '«': '"',
  '»': '"',
  '″': '"',
  '‐': '-',
  '‑': '-',
  '‒': '-',
  '–': '-',
  '—': '-',
  '―': '-',
  '−': '-',
  '…': '...',
  '•': '-',
  '·': '-',
  '\u00a0': ' ',
  '\u2002': ' ',
  '\u2003': ' ',
  '\u2009': ' ',
  '\u200a': ' ',
  '\u202f': ' ',
  '\u00ad': '',
  '\u200b': '',
  '\ufeff': '',
}

/** Replaces typographic characters by those of GSM 03.38, because one other character more than halves a segment. */
export function withoutTypography(text: string): string {
  return [...text.normalize('NFC')].map((character) => replacements[character] ?? character).join('')
}

/** Returns in how many segments a text is sent: 160 or 153 characters in GSM 03.38, else 70 or 67 in UCS-2. */
export function countSegments(text: string): number {
  const characters = [...text]
  const isGsm = characters.every((character) => basic.has(character) || extended.has(character))
  const [single, part] = isGsm ? [160, 153] : [70, 67]
  const widths = characters.map((character) => (isGsm ? (extended.has(character) ? 2 : 1) : character.length))
  if (widths.reduce((sum, width) => sum + width, 0) <= single) return 1
  let segments = 1
  let room = part
  for (const width of widths) {
    // A character is never split over two segments.
    if (width > room) {
      segments += 1
      room = part
    }
    room -= width
  }
  return segments
}
