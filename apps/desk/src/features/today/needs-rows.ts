import type { DeskDelivery } from '@tidings/contracts/delivery/deliveries'
import type { DeskComment } from '@tidings/contracts/desk/comments'
import type { DeskEditionSummary } from '@tidings/contracts/desk/editions'
import type { DeskNeeds } from '@tidings/contracts/desk/needs/needs'
import { type CalendarDate, parseWireDate } from '@tidings/contracts/edition-key'
import { counted } from '#lib/counted.ts'
import { editionPath } from '#lib/desk-paths.ts'
import { editionName } from '#lib/time/edition-name.ts'
import { clockText, dayText, spanText } from '#lib/time/zoned-time.ts'

/** One thing that needs the person, and the way to where it is decided. `isUrgent` is what readers wait for. */
export type NeedsRow = {
  key: string
  title: string
  text: string
  action: 'Decide' | 'Look' | 'Open'
  to: string
  search?: Record<string, string>
  isUrgent: boolean
}

/** All that is known. */
export type Known = {
  held: readonly DeskEditionSummary[]
  unconfirmed: readonly DeskDelivery[]
  needs: DeskNeeds
  reported: number
  oldest: DeskComment | null
}

/** The facts that the sentences depend on. */
export type Reader = { today: CalendarDate; now: Date; siteZone: string; seesMembers: boolean }

/** Returns the rows in the order in which they need the person. */
export function needsRows(known: Known, reader: Reader): NeedsRow[] {
  return [
    ...known.held.map((edition) => heldRow(edition, reader)),
    ...unconfirmedRows(known.unconfirmed, reader),
    ...known.needs.failedSends.map((send) => failedRow(send, reader)),
    ...leftOutRows(known.needs.leftOut, reader),
    ...commentRows(known, reader),
    ...deadLinkRows(known.needs.deadLinks, reader),
    ...bounceRows(known.needs.bounces, reader),
  ]
}

function heldRow({ key, date, heldReason }: DeskEditionSummary, reader: Reader): NeedsRow {
  return {
    key: `held ${key}`,
    title: `${heldName(key, reader)} was held.`,
    text: heldReason ?? '',
    action: 'Decide',
    to: `/days/${date}`,
    isUrgent: true,
  }
}

/** Counts the deliveries of each edition or digest. */
function unconfirmedRows(deliveries: readonly DeskDelivery[], reader: Reader): NeedsRow[] {
  const bySend = Map.groupBy(deliveries, ({ edition, digest }) => edition ?? `digest ${digest}`)
  return [...bySend.values()].flatMap((all) => {
    const [first] = all
    if (first === undefined) return []
    return {
      key: `unconfirmed ${first.edition ?? first.digest}`,
      title: `${counted(all.length, 'delivery', 'deliveries')} of ${sendName(first, reader)} ${all.length === 1 ? 'is' : 'are'} unconfirmed.`,
      text: 'The connection broke before the mail server replied. Count them as sent, or send again?',
      action: 'Decide',
      to: sendPath(first),
      isUrgent: true,
    }
  })
}

function failedRow(send: DeskNeeds['failedSends'][number], reader: Reader): NeedsRow {
  const { isHeld, failed, reason } = send
  const name = sendName(send, reader)
  const key = `failed ${send.edition ?? send.digest}`
  if (isHeld) {
    const title = `The delivery of ${name} is held.`
    return { key, title, text: reason ?? '', action: 'Decide', to: sendPath(send), isUrgent: true }
  }
  return {
    key,
    title: `${counted(failed, 'delivery', 'deliveries')} of ${name} failed.`,
    text: reason === null ? 'The server refused them.' : `The server said: “${reason}”`,
    action: 'Look',
    to: sendPath(send),
    isUrgent: false,
  }
}

function leftOutRows(memos: DeskNeeds['leftOut'], reader: Reader): NeedsRow[] {
  return [...Map.groupBy(memos, ({ edition }) => edition)].flatMap(([edition, all]) => {
    const [first] = all
    if (first === undefined) return []
    return {
      key: `left-out ${edition}`,
      title: `${counted(all.length, 'memo was', 'memos were')} left out of ${editionName(edition, reader)}.`,
      text: `${quoted(first.title)}: it was unfinished, and readers don’t have it.`,
      action: 'Open',
      to: editionPath(edition, first.memo),
      isUrgent: false,
    }
  })
}

function commentRows({ reported, oldest }: Known, { now }: Reader): NeedsRow[] {
  if (reported === 0) return []
  const at = oldest?.reports[0]?.at
  const ago = at === undefined ? '' : `${spanText(now.getTime() - new Date(at).getTime())} ago`
  const place =
    oldest?.article === null || oldest?.article === undefined ? '' : `, under ${quoted(oldest.article.title)}`
  return [
    {
      key: 'comments',
      title: `${counted(reported, 'comment was', 'comments were')} reported.`,
      text: ago === '' ? '' : `${reported === 1 ? '' : 'The oldest '}${ago}${place}.`,
      action: 'Look',
      to: '/comments',
      search: { show: 'reported' },
      isUrgent: false,
    },
  ]
}

function deadLinkRows(links: DeskNeeds['deadLinks'], reader: Reader): NeedsRow[] {
  return [...Map.groupBy(links, ({ edition }) => edition)].flatMap(([edition, all]) => {
    const [first] = all
    if (first === undefined) return []
    const name = editionName(edition, reader)
    const since = clockText(new Date(first.checkedAt), reader.siteZone)
    return {
      key: `links ${edition}`,
      title:
        all.length === 1
          ? `A link in ${name} no longer answers.`
          : `${all.length} links in ${name} no longer answer.`,
      text: `${quoted(first.title)}: ${hostOf(first.url)} ${linkWords(first)}, asked at ${since}.`,
      action: 'Open',
      to: editionPath(edition, first.memo),
      isUrgent: false,
    }
  })
}

function linkWords({ state, status }: DeskNeeds['deadLinks'][number]): string {
  if (state === 'fails') return `returns ${status}`
  return state === 'silent' ? 'doesn’t answer' : 'isn’t a public address'
}

function bounceRows({ emails, suppressed }: DeskNeeds['bounces'], { seesMembers }: Reader): NeedsRow[] {
  if (emails === 0 && suppressed === 0) return []
  const text =
    suppressed === 0
      ? 'None of their addresses is suppressed.'
      : `${counted(suppressed, 'address gets nothing until its owner confirms it', 'addresses get nothing until their owners confirm them')} again.`
  const way =
    seesMembers && suppressed > 0 ? { to: '/members', search: { show: 'suppressed' } } : { to: '/numbers' }
  return [
    {
      key: 'bounces',
      title: `${counted(emails, 'email', 'emails')} bounced this week.`,
      text,
      action: 'Look',
      ...way,
      isUrgent: false,
    },
  ]
}

type Send = { edition: string | null; digest: string | null }

function sendName({ edition, digest }: Send, reader: Reader): string {
  if (edition !== null) return editionName(edition, reader)
  const day = digest === null ? null : parseWireDate(digest)
  return day === null ? 'the digest' : `the digest of ${dayText(day, { weekday: undefined })}`
}

/** Returns the screen of a delivery. That of a digest has none, so its day has to do. */
function sendPath({ edition, digest }: Send): string {
  return edition === null ? `/days/${digest}` : `${editionPath(edition)}/delivery`
}

/** Returns the name of an edition at the start of a sentence. */
export function heldName(key: string, reader: Pick<Reader, 'today'>): string {
  return editionName(key, reader).replace(/^[yt]/, (first) => first.toUpperCase())
}

function quoted(title: string): string {
  return title === '' ? 'A memo without a title' : `“${title}”`
}

function hostOf(url: string): string {
  return URL.parse(url)?.host ?? url
}
