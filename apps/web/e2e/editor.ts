import type { APIRequestContext } from '@playwright/test'
import { siteUnderTest } from './site-under-test.config.ts'

/** What an editor does over the desk API, as far as the journeys need it. */
export function editorOf(request: APIRequestContext) {
  const headers = { Authorization: `Bearer ${siteUnderTest.editorKey()}` }

  async function succeed(method: 'PUT' | 'POST', path: string, data: unknown): Promise<void> {
    const answer = await request.fetch(path, { method, headers, data })
    if (!answer.ok()) throw new Error(`${method} ${path} answered ${answer.status()}: ${await answer.text()}`)
  }

  return {
    /** Adds a memo with a title and a sentence to an edition. */
    addMemo(edition: string, title: string, more: { position?: number } = {}): Promise<void> {
      const memo_content = `<p>What is to be said about ${title}, with <a href="https://example.com/">a link</a>.</p>`
      const source = 'https://example.com/source'
      return succeed('POST', `/desk/v1/editions/${edition}/memos`, { title, memo_content, source, ...more })
    },
    /** Makes an edition with memos of the given titles and publishes it. */
    async publish(edition: string, titles: readonly string[]): Promise<void> {
      await succeed('PUT', `/desk/v1/editions/${edition}`, { status: 'draft' })
      for (const title of titles) await this.addMemo(edition, title)
      await succeed('POST', `/desk/v1/editions/${edition}/publish`, {})
    },
  }
}
