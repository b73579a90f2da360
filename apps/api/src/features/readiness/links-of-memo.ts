/** The parts of a memo that have links. Their HTML is clean. */
type LinkedMemo = { content: string; mediaText: string; source: string }

const maxCharacters = 2_000

/** Lists the web addresses of a memo, each once, in order. */
export function linksOf({ content, mediaText, source }: LinkedMemo): string[] {
  const written = [...`${content} ${mediaText}`.matchAll(/<a\s[^>]*?href="([^"]*)"/g)]
  const addresses = [...written.map(([, href = '']) => unescaped(href)), source]
  const isWeb = (each: string) => /^https?:\/\//i.test(each) && each.length <= maxCharacters
  return [...new Set(addresses.filter(isWeb))]
}

function unescaped(attribute: string): string {
  return attribute
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&nbsp;', '\u00a0')
    .replaceAll('&amp;', '&')
}
