import type { APIRequestContext, APIResponse } from '@playwright/test'
import { siteUnderTest } from './site-under-test.config.ts'

/** What an editor does over the desk API, as far as the journeys need it. */
export function editorOf(request: APIRequestContext) {
  const headers = { Authorization: `Bearer ${siteUnderTest.editorKey()}` }

  async function succeed(path: string, data: unknown): Promise<void> {
    const answer = await request.post(path, { headers, data })
    if (!answer.ok()) throw await failure(path, answer)
  }

  /** Makes a draft of a morning that has none yet, so that journeys share nothing, and answers its key. */
  async function draftFreshEdition(): Promise<string> {
    for (let day = 0; day < 28 * 12; day += 1) {
      const [month, dayOfMonth] = [Math.floor(day / 28) + 1, (day % 28) + 1]
      const key = `${twoDigits(month)}-${twoDigits(dayOfMonth)}-03-10AM`
      const path = `/desk/v1/editions/${key}`
      const answer = await request.put(path, { headers, data: { status: 'draft' } })
      if (answer.ok()) return key
      // There is one already: to change it, its version would be wanted.
      if (answer.status() !== 428) throw await failure(path, answer)
    }
    throw new Error('Every morning of 2003 has an edition')
  }

  return {
    /** Adds a memo with a title and a sentence to an edition. */
    addMemo(edition: string, title: string, more: { position?: number } = {}): Promise<void> {
      const memo_content = `<p>What is to be said about ${title}, with <a href="https://example.com/">a link</a>.</p>`
      const source = 'https://example.com/source'
      return succeed(`/desk/v1/editions/${edition}/memos`, { title, memo_content, source, ...more })
    },
    /** Publishes an edition with memos of the given titles; answers its key. */
    async publish(titles: readonly string[]): Promise<string> {
      const edition = await draftFreshEdition()
      for (const title of titles) await this.addMemo(edition, title)
      await succeed(`/desk/v1/editions/${edition}/publish`, {})
      return edition
    },
  }
}

async function failure(path: string, answer: APIResponse): Promise<Error> {
  return new Error(`${path} answered ${answer.status()}: ${await answer.text()}`)
}

function twoDigits(number: number): string {
  return String(number).padStart(2, '0')
}
