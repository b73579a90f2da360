/** Returns the path of an edition's screen, or of a memo in it. */
export function editionPath(key: string, memo?: string): string {
  const edition = `/editions/${encodeURIComponent(key)}`
  return memo === undefined ? edition : `${edition}/memos/${memo}`
}
