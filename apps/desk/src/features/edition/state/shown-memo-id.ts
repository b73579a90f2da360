const wideScreen = '(min-width: 768px)'

/** Returns the memo to show: the open one, or in a wide window the first, which is about to be opened. */
export function shownMemoId(openId: string | null, ids: readonly string[]): string | null {
  return openId ?? (matchMedia(wideScreen).matches ? (ids[0] ?? null) : null)
}
