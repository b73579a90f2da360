import type { APIRequestContext } from '@playwright/test'
import { siteUnderTest } from '../site-under-test.config.ts'

/** Writes comments below an edition, which another member reports as advertising. Returns the author’s name. */
export async function reportedComments(
  request: APIRequestContext,
  edition: string,
  words: readonly string[],
): Promise<string> {
  const headers = { 'X-API-Key': siteUnderTest.publicKey() }
  const signUp = async (name: string) => {
    const email = `${name.replaceAll(/\W/g, '-')}@example.com`.toLowerCase()
    const data = { email, password: 'a-long-password', customFields: { name } }
    const reply = await (await request.post('/auth/signup', { headers, data })).json()
    return { ...headers, authorization: `Bearer ${reply.data.tokens.accessToken}` }
  }
  const author = `Free ${edition}`
  const [writer, reporter] = [await signUp(author), await signUp(`Reporter ${edition}`)]
  for (const content of words) {
    const data = { channelKey: `edition:${edition}`, content }
    const posted = await request.post('/comments/posts', { headers: writer, data })
    const { id } = (await posted.json()).data
    await request.post(`/comments/posts/${id}/report`, { headers: reporter, data: { reason: 'advertising' } })
  }
  return author
}
