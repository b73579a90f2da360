import type { APIRequestContext, APIResponse } from '@playwright/test'
import { deskArticle } from '@tidings/contracts/desk/articles'
import { deskEdition } from '@tidings/contracts/desk/editions'
import { dataOf, pageOf } from '@tidings/contracts/envelope'
import { siteUnderTest } from './site-under-test.config.ts'

/** The keys of a memo that a test sets, in place of a plain memo's. */
type NewMemo = { position?: number; language?: string; memo_content?: string }

/** Returns an editor's actions on the desk API, as far as the browser tests need them. */
export function editorOf(request: APIRequestContext) {
  const headers = { Authorization: `Bearer ${siteUnderTest.editorKey()}` }

  async function post(path: string, data: unknown): Promise<void> {
    const response = await request.post(path, { headers, data })
    if (!response.ok()) throw await failure(path, response)
  }

  /** Returns the path of a memo, found by its title, and the header that names its newest version. */
  async function findMemo(edition: string, title: string) {
    const response = await request.get(`/desk/v1/editions/${edition}`, { headers })
    const { data } = dataOf(deskEdition).parse(await response.json())
    const memo = data.memos.find((each) => each.title === title)
    if (memo === undefined) throw new Error(`${edition} has no memo ${title}`)
    return {
      path: `/desk/v1/memos/${memo.id}`,
      headers: { ...headers, 'If-Match': `"${memo.version}"` },
    }
  }

  /** Creates a draft of a morning without an edition, so that tests share nothing, and returns its key. */
  async function draftFreshEdition(): Promise<string> {
    for (let day = 0; day < 28 * 12; day += 1) {
      const [month, dayOfMonth] = [Math.floor(day / 28) + 1, (day % 28) + 1]
      const key = `${twoDigits(month)}-${twoDigits(dayOfMonth)}-03-10AM`
      const path = `/desk/v1/editions/${key}`
      const response = await request.put(path, { headers, data: { status: 'draft' } })
      if (response.ok()) return key
      // It exists already: changing it would need If-Match.
      if (response.status() !== 428) throw await failure(path, response)
    }
    throw new Error('Every morning of 2003 has an edition')
  }

  return {
    /** Returns a published article of a content group; null for one that every member may read. */
    async articleOf(group: string | null): Promise<{ id: string; title: string }> {
      const response = await request.get('/desk/v1/articles', { headers })
      const { data } = pageOf(deskArticle).parse(await response.json())
      const article = data.find((each) => each.group === group && each.status === 'published')
      if (article === undefined) throw new Error(`No article belongs to ${group ?? 'every member'}`)
      return article
    },
    /** Adds a memo with a title and a sentence to an edition. */
    addMemo(edition: string, title: string, more: NewMemo = {}): Promise<void> {
      const memo_content = `<p>The body of ${title}, with <a href="https://example.com/">a link</a>.</p>`
      const source = 'https://example.com/source'
      return post(`/desk/v1/editions/${edition}/memos`, { title, memo_content, source, ...more })
    },
    async correctMemo(edition: string, title: string, change: Record<string, unknown>): Promise<void> {
      const memo = await findMemo(edition, title)
      const response = await request.patch(memo.path, { headers: memo.headers, data: change })
      if (!response.ok()) throw await failure(memo.path, response)
    },
    async withdrawMemo(edition: string, title: string): Promise<void> {
      const memo = await findMemo(edition, title)
      const response = await request.delete(memo.path, { headers: memo.headers })
      if (!response.ok()) throw await failure(memo.path, response)
    },
    /** Publishes an edition that doesn't exist yet, or was withdrawn, with memos of the given titles. */
    async publishAs(edition: string, titles: readonly string[]): Promise<void> {
      const path = `/desk/v1/editions/${edition}`
      if ((await request.get(path, { headers })).status() === 404) {
        const response = await request.put(path, { headers, data: { status: 'draft' } })
        if (!response.ok()) throw await failure(path, response)
        for (const title of titles) await this.addMemo(edition, title)
      }
      await post(`${path}/publish`, {})
    },
    /** Takes a published edition back. */
    async withdraw(edition: string): Promise<void> {
      const path = `/desk/v1/editions/${edition}`
      const { etag = '' } = (await request.get(path, { headers })).headers()
      const response = await request.put(path, {
        headers: { ...headers, 'If-Match': etag },
        data: { status: 'draft' },
      })
      if (!response.ok()) throw await failure(path, response)
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
      await post(`/desk/v1/editions/${edition}/publish`, { deliver: true })
    },
    /** Publishes the afternoon edition of a day. */
    async publishAfternoon(morning: string, titles: readonly string[]): Promise<void> {
      const edition = morning.replace('10AM', '3PM')
      const path = `/desk/v1/editions/${edition}`
      const response = await request.put(path, { headers, data: { status: 'draft' } })
      if (!response.ok()) throw await failure(path, response)
      await this.publishDraft(edition, titles)
    },
    async publishDraft(edition: string, titles: readonly string[], more: NewMemo = {}): Promise<void> {
      for (const title of titles) await this.addMemo(edition, title, more)
      await post(`/desk/v1/editions/${edition}/publish`, {})
    },
  }
}

async function failure(path: string, response: APIResponse): Promise<Error> {
  return new Error(`${path} failed with ${response.status()}: ${await response.text()}`)
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0')
}
