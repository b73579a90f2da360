import type { ArticleReaders } from '@tidings/contracts/desk/content/article-readers'
import type { DeskRole } from '@tidings/contracts/desk/desk'

const wordsPerMinute = 200

/** Returns `9 min to read`. */
export function readingTime(words: number): string {
  return `${Math.max(1, Math.round(words / wordsPerMinute))} min to read`
}

/** Returns who may read an article with a content group, in words. */
export function readersText(group: string | null, readers: ArticleReaders | undefined): string {
  if (group === null) return 'Every member'
  return readers?.groups.find(({ key }) => key === group)?.name ?? group
}

/** Returns `3,317 members`. */
export function membersText(members: number): string {
  return members === 1 ? '1 member' : `${members.toLocaleString('en')} members`
}

/** Returns how many members may read an article with a content group. */
export function readerCount(group: string | null, { members, groups }: ArticleReaders): number {
  return group === null ? members : (groups.find(({ key }) => key === group)?.members ?? 0)
}

/** The rights of a person in articles. */
export type ArticleRights = { canWrite: boolean; canPublish: boolean }

/** Returns what people with these roles may do in articles. */
export function articleRights(roles: readonly DeskRole[]): ArticleRights {
  const canPublish = roles.some((role) => role === 'editor' || role === 'owner')
  return { canPublish, canWrite: canPublish || roles.includes('writer') }
}

/** A kind of reader, as the preview names it. */
export type Reader = { name: string; reader: 'visitor' | 'member' | { plan: string } }

/** Returns the kinds of readers: visitors, free members, and the members with each other plan. */
export function readerKinds({ plans }: Pick<ArticleReaders, 'plans'>): Reader[] {
  const free = plans.find(({ price }) => price === null)
  const others = plans.filter(({ id }) => id !== free?.id)
  return [
    { name: 'Visitor', reader: 'visitor' },
    { name: 'Free member', reader: free === undefined ? 'member' : { plan: free.id } },
    ...others.map(({ id, name }) => ({ name, reader: { plan: id } })),
  ]
}
