/**
 * The result of asking for a link. `answers`: a page. `fails`: an error, with its HTTP status. `silent`: no reply in time. `refused`: an
 * address that is not public, so that readers can't open it either.
 */
export type LinkResult = { outcome: 'answers' | 'fails' | 'silent' | 'refused'; status: number | null }

/** Asks whether links lead somewhere. Never rejects. */
export type LinkChecker = { check(url: string): Promise<LinkResult> }
