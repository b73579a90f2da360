/** The basic characters of GSM 03.38, which take one place each. */
const basic = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
)

/** Its extension, which takes two. */
const extended = new Set('\f^{}\\[~]|€')

/** Returns whether GSM 03.38 has a character. */
export function isGsm(character: string): boolean {
  return basic.has(character) || extended.has(character)
}

/** Returns in how many segments a text is sent: 160 or 153 characters in GSM 03.38, else 70 or 67 in UCS-2. */
export function countSegments(text: string): number {
  const characters = [...text]
  const isAllGsm = characters.every(isGsm)
  const [single, part] = isAllGsm ? [160, 153] : [70, 67]
  const widths = characters.map((character) =>
    isAllGsm ? (extended.has(character) ? 2 : 1) : character.length,
  )
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
