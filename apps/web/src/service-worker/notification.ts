import { parseJson } from '../lib/api/json.ts'

/** A notification for the browser to show. `path` is where a tap leads, on the site. */
export type ShownNotification = {
  title: string
  options: NotificationOptions & { data: { path: string } }
}

type Icons = { icon: string; badge: string }

const home = '/home'
const unreadable = { title: 'The newest edition is one tap away', body: '', lang: 'en', tag: 'edition' }

/**
 * Returns the quiet notification of a push message. A browser demands one for every message, so one that can't be read
 * shows what is always true.
 */
export function notificationOf(text: string, icons: Icons): ShownNotification {
  const message = parseJson(text)
  const read = (name: string) => readText(message, name)
  const { title, body, lang, tag } =
    read('title') === ''
      ? unreadable
      : {
          title: read('title'),
          body: read('body'),
          lang: read('lang'),
          tag: read('tag'),
        }
  return {
    title,
    options: { body, lang, tag, dir: 'auto', silent: true, ...icons, data: { path: sitePath(read('path')) } },
  }
}

/** Returns the address of the site's screen at a path: always on this origin, because the path is behind the hash. */
export function screenUrl(data: unknown, origin: string): string {
  return `${origin}/#${sitePath(readText(data, 'path'))}`
}

/** Returns a path of the site; the start for anything else. */
function sitePath(path: string): string {
  return /^\/\w[\w/-]*$/.test(path) ? path : home
}

function readText(value: unknown, name: string): string {
  const text: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined
  return typeof text === 'string' ? text.trim() : ''
}
