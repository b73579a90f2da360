import type { DeskEvent } from '@tidings/contracts/desk/events'

/** The first key of everything that changes while the desk is open. */
export const liveKeys = ['edition', 'working-copy', 'editions', 'delivery', 'comments', 'articles'] as const

type LiveKey = (typeof liveKeys)[number]

/** Returns the beginnings of the keys of the queries whose results an event makes old. */
export function changedQueries(event: DeskEvent): readonly (readonly [LiveKey, ...string[]])[] {
  switch (event.type) {
    case 'edition':
      return [['edition'], ['editions'], ['delivery']]
    case 'removed':
      // A removed memo has no text to read again.
      return [['edition'], ['editions']]
    case 'saved':
      return [['edition'], ['working-copy', event.memo], ['editions']]
    case 'delivery':
      return [['delivery']]
    case 'comment':
    case 'comment-author':
      return [['comments']]
    case 'article':
      return [['articles']]
    case 'presence':
      return []
  }
}
