// The characters that XML 1.0 cannot contain, even escaped: controls, halves of characters, and two noncharacters.
const notInXml = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu

/** Escapes text for HTML and XML, in elements and in attributes. */
export function escapeMarkup(text: string): string {
  return text
    .replace(notInXml, '')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
