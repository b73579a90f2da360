import { parseEditionKey, parseWireDate } from '@tidings/contracts/edition-key'
import { paths, timeListUrl } from '@tidings/contracts/paths'

/** The server replaces this with a hash of its neutral shell, which contains the site's settings. */
export const shellRevision = '__SHELL_REVISION__'

/** The page's message to an update that waits. */
export const skipWaitingMessage = 'skip-waiting'

/** Whether a navigation gets the kept shell: only the site's one page, never another page of the same origin. */
export function isShellUrl({ pathname }: URL): boolean {
  return pathname === '/'
}

/** Whether a reply is kept: the memos of an edition, a day's time list or the archive; never a gated article. */
export function isKeptEditionPath(pathname: string): boolean {
  const folder = timeListUrl('')
  if (pathname.startsWith(folder)) return parseWireDate(pathname.slice(folder.length)) !== null
  const [, first, second, name, ...rest] = pathname.split('/')
  if (first !== 'edition' || second !== 'prod' || rest.length > 0) return false
  return pathname === paths.archiveList || parseEditionKey(name ?? '') !== null
}

/** Whether a picture is kept: a memo's, never one of a gated article or of a member. */
export function isKeptPicturePath(pathname: string): boolean {
  return pathname.startsWith('/media/')
}
