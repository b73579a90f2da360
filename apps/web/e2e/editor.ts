import type { APIRequestContext, APIResponse } from '@playwright/test'
import { deskArticleSummary, listDeskArticles } from '@tidings/contracts/desk/articles'
import { deskEdition, getEdition, publishEdition, putEdition } from '@tidings/contracts/desk/editions'
import { addMemo, changeMemo, deleteMemo } from '@tidings/contracts/desk/memos'
import { fillPath, type Route } from '@tidings/contracts/endpoint'
import { dataOf, pageOf } from '@tidings/contracts/envelope'
import { siteUnderTest } from './site-under-test.config.ts'

/** The keys of a memo that a test sets, in place of a plain memo's. */
type NewMemo = { position?: number; language?: string; memo_content?: string }

/** A request to the desk API. A response with another status than a success or one of `allowed` fails the test. */
type DeskRequest = {
  params?: Record<string, string>
  data?: unknown
  ifMatch?: string
  allowed?: readonly number[]
}

/** Returns an editor's actions on the desk API, as far as the browser tests need them. */
export function editorOf(request: APIRequestContext) {
  const call = callDesk(request)
  const publishWith = (edition: string, data: object) =>
    call(publishEdition, { params: { key: edition }, data })
  const draft = (edition: string, options: DeskRequest = {}) =>
    call(putEdition, { params: { key: edition }, data: { status: 'draft' }, ...options })

  async function memosOf(edition: string) {
    const response = await call(getEdition, { params: { key: edition } })
    return dataOf(deskEdition).parse(await response.json()).data.memos
  }

  /** Returns the id of a memo, found by its title, and its newest version. */
  async function findMemo(edition: string, title: string) {
    const memo = (await memosOf(edition)).find((each) => each.title === title)
    if (memo === undefined) throw new Error(`${edition} has no memo ${title}`)
    return { params: { id: memo.id }, ifMatch: `"${memo.version}"` }
  }

  /** Creates a draft of a morning without an edition, so that tests share nothing, and returns its key. */
  async function draftFreshEdition(): Promise<string> {
    for (let day = 0; day < 28 * 12; day += 1) {
      const [month, dayOfMonth] = [Math.floor(day / 28) + 1, (day % 28) + 1]
      const key = `${twoDigits(month)}-${twoDigits(dayOfMonth)}-03-10AM`
      // An edition that exists already is not changed without If-Match.
      if ((await draft(key, { allowed: [428] })).ok()) return key
    }
    throw new Error('Every morning of 2003 has an edition')
  }

  return {
    /** Returns a published article of a content group; null for one that every member may read. */
    async articleOf(group: string | null): Promise<{ id: string; title: string }> {
      const { data } = pageOf(deskArticleSummary).parse(await (await call(listDeskArticles)).json())
      const article = data.find((each) => each.group === group && each.status === 'published')
      if (article === undefined) throw new Error(`No article belongs to ${group ?? 'every member'}`)
      return article
    },
    /** Returns the memos of an edition in order, without the changes that readers don't have. */
    memosOf,
    /** Adds a memo with a title and a sentence to an edition. */
    async addMemo(edition: string, title: string, more: NewMemo = {}): Promise<void> {
      const memo_content = `<p>The body of ${title}, with <a href="https://example.com/">a link</a>.</p>`
      const source = 'https://example.com/source'
      await call(addMemo, { params: { key: edition }, data: { title, memo_content, source, ...more } })
    },
    async correctMemo(edition: string, title: string, change: Record<string, unknown>): Promise<void> {
      await call(changeMemo, { ...(await findMemo(edition, title)), data: change })
    },
    async withdrawMemo(edition: string, title: string): Promise<void> {
      await call(deleteMemo, await findMemo(edition, title))
    },
    /** Publishes an edition that doesn't exist yet, or was withdrawn, with memos of the given titles. */
    async publishAs(edition: string, titles: readonly string[]): Promise<void> {
      const found = await call(getEdition, { params: { key: edition }, allowed: [404] })
      if (!found.ok()) {
        await draft(edition)
        for (const title of titles) await this.addMemo(edition, title)
      }
      await publishWith(edition, {})
    },
    /** Takes a published edition back. */
    async withdraw(edition: string): Promise<void> {
      const { etag = '' } = (await call(getEdition, { params: { key: edition } })).headers()
      await draft(edition, { ifMatch: etag })
    },
    /** Publishes an edition with memos of the given titles, and of one content if given; returns its key. */
    async publish(titles: readonly string[], more: NewMemo = {}): Promise<string> {
      const edition = await draftFreshEdition()
      await this.publishDraft(edition, titles, more)
      return edition
    },
    /** Publishes an edition with a memo of this title, and sends it to the members who chose memos by email. */
    async deliver(title: string): Promise<void> {
      const edition = await draftFreshEdition()
      await this.addMemo(edition, title)
      await publishWith(edition, { deliver: true })
    },
    /** Publishes the afternoon edition of a day. */
    async publishAfternoon(morning: string, titles: readonly string[]): Promise<void> {
      const edition = morning.replace('10AM', '3PM')
      await draft(edition)
      await this.publishDraft(edition, titles)
    },
    async publishDraft(edition: string, titles: readonly string[], more: NewMemo = {}): Promise<void> {
      for (const title of titles) await this.addMemo(edition, title, more)
      await publishWith(edition, {})
    },
  }
}

/** Returns a function that calls the desk API with an editor's key. */
function callDesk(request: APIRequestContext) {
  const headers = { Authorization: `Bearer ${siteUnderTest.editorKey()}` }

  return async ({ method, path }: Route, { params = {}, data, ifMatch, allowed = [] }: DeskRequest = {}) => {
    const url = fillPath(path, { params })
    const response: APIResponse = await request.fetch(url, {
      method,
      headers: ifMatch === undefined ? headers : { ...headers, 'If-Match': ifMatch },
      data,
    })
    if (response.ok() || allowed.includes(response.status())) return response
    throw new Error(`${url} failed with ${response.status()}: ${await response.text()}`)
  }
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0')
}
