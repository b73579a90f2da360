/**
 * Whether a text is the origin of web pages as browsers send it: `https://www.example.com`. No path, no port that goes
 * without saying, and no star, which would stand for itself alone.
 */
export function isWebOrigin(text: string): boolean {
  const url = URL.parse(text)
  return url?.origin === text && /^https?:$/.test(url.protocol) && !url.hostname.includes('*')
}
