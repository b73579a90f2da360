/**
 * Returns whether a text is a web origin as browsers send it, such as `https://www.example.com`: no path, default port
 * or star.
 */
export function isWebOrigin(text: string): boolean {
  const url = URL.parse(text)
  return url?.origin === text && /^https?:$/.test(url.protocol) && !url.hostname.includes('*')
}
