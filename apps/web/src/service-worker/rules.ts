import { parseEditionKey, parseWireDate } from '@tidings/contracts/edition-key'
import type { Route } from '@tidings/contracts/endpoint'
import * as routes from '@tidings/contracts/routes'

/** The server replaces this with a hash of its neutral shell, which contains the site's settings. */
export const shellRevision = '__SHELL_REVISION__'

/** The server replaces this with the subset of the web fonts that its shell begins with: `english` or `latin`. */
const siteFonts = '__SITE_FONTS__'

/** The page's message to an update that waits. */
export const skipWaitingMessage = 'skip-waiting'

/** The page's message to a worker that is ready: keep the code of all screens. */
export const keepScreensMessage = 'keep-screens'

/**
 * Returns whether a navigation gets the kept shell: only the site's one page, never another page of the same origin.
 */
export function isShellUrl({ pathname }: URL): boolean {
  return pathname === '/'
}

/** Returns whether a file is a font that reading needs. Others are kept once a text has needed them. */
export function isReadingFont(file: string): boolean {
  return file.includes(`-${siteFonts}-wght-normal-`)
}

/** Returns whether a reply is kept for every reader: the memos of an edition, a day's time list or the archive. */
export function isKeptEditionPath(pathname: string): boolean {
  if (matches(routes.listArchive, pathname)) return true
  const [date] = valuesIn(routes.getTimeList, pathname)
  const [key] = valuesIn(routes.listMemos, pathname)
  return parseWireDate(date ?? '') !== null || parseEditionKey(key ?? '') !== null
}

/** Returns whether a picture is kept for every reader: a memo's. */
export function isKeptPicturePath(pathname: string): boolean {
  return matches(routes.memoPicture, pathname)
}

/** Returns whether a reply is kept for the member who requested it: the gated list or a gated article. */
export function isKeptArticlePath(pathname: string): boolean {
  return matches(routes.listGatedArticles, pathname) || matches(routes.getGatedArticle, pathname)
}

/** Returns whether a picture is kept for the member: one of a gated article, which only they see. */
export function isKeptArticlePicturePath(pathname: string): boolean {
  return matches(routes.articlePicture, pathname)
}

function matches({ path }: Route, pathname: string): boolean {
  return patternOf(path).test(pathname)
}

/** Returns the values of a route's parameters in a path; none in the path of another route. */
function valuesIn({ path }: Route, pathname: string): string[] {
  return patternOf(path).exec(pathname)?.slice(1) ?? []
}

function patternOf(path: string): RegExp {
  return new RegExp(`^${path.replaceAll(/:\w+/g, '([^/]+)')}$`)
}
