import type { APIRequestContext, APIResponse } from '@playwright/test'
import { siteUnderTest } from './site-under-test.config.ts'

/** Returns an editor's actions on the desk API, as far as the browser tests need them. */
export function editorOf(request: APIRequestContext) {
  const headers = { Authorization: `Bearer ${siteUnderTest.editorKey()}` }

  async function post(path: string, data: unknown): Promise<void> {
    const response = await request.post(path, { headers, data })
    if (!response.ok()) throw await failure(path, response)
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
    /** Adds a memo with a title and a sentence to an edition. */
    addMemo(edition: string, title: string, more: { position?: number } = {}): Promise<void> {
      const memo_content = `<p>The body of ${title}, with <a href="https://example.com/">a link</a>.</p>`
      const source = 'https://example.com/source'
      return post(`/desk/v1/editions/${edition}/memos`, { title, memo_content, source, ...more })
    },
    /** Publishes an edition with memos of the given titles and returns its key. */
    async publish(titles: readonly string[]): Promise<string> {
      const edition = await draftFreshEdition()
      for (const title of titles) await this.addMemo(edition, title)
      await post(`/desk/v1/editions/${edition}/publish`, {})
      return edition
    },
  }
}

async function failure(path: string, response: APIResponse): Promise<Error> {
  return new Error(`${path} failed with ${response.status()}: ${await response.text()}`)
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0')
}
