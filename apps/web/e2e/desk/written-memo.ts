import { type APIRequestContext, expect, type Locator, type Page } from '@playwright/test'
import { workingCopy } from '@tidings/contracts/desk/memo-text'
import { deskMemo } from '@tidings/contracts/desk/memos'
import * as routes from '@tidings/contracts/desk/routes'
import { textVersionSummary } from '@tidings/contracts/desk/writing/version-terms'
import {
  getMemoVersion,
  listMemoVersions,
  type TextVersion,
  textVersion,
} from '@tidings/contracts/desk/writing/versions'
import { fillPath, type Route } from '@tidings/contracts/endpoint'
import { dataOf, pageOf } from '@tidings/contracts/envelope'
import { siteUnderTest } from '../site-under-test.config.ts'

/** The requests that save a memo. */
export const saves = '**/working-copy'

/** The text of the open memo. */
export const textOf = (desk: Page): Locator => desk.getByRole('textbox', { name: 'Text', exact: true })

/** Waits for the server’s word that everything is saved. */
export const saved = (desk: Page): Promise<void> =>
  expect(desk.getByText(/^Saved \d+ s ago(?:, not public)?$/)).toBeVisible()

/** Waits until the device keeps what isn’t saved. */
export const kept = (desk: Page): Promise<void> =>
  expect(desk.getByText(/^Kept on this device \d+ s ago, not saved yet$/)).toBeVisible()

/** Types at the end of the text, key by key. */
export async function typeAtEnd(desk: Page, words: string): Promise<void> {
  await textOf(desk).focus()
  await desk.keyboard.press('ControlOrMeta+End')
  await desk.keyboard.type(words)
}

type Sent = { data?: object; ifMatch?: number; allowed?: number; query?: Record<string, string> }

/** Returns the actions of a script with an editor’s key, which writes as another editor would. */
export function scriptOf(request: APIRequestContext) {
  const call = async (
    { method, path }: Route,
    params: Record<string, string>,
    { data, ifMatch, query, allowed }: Sent = {},
  ): Promise<unknown> => {
    const authorization = { Authorization: `Bearer ${siteUnderTest.editorKey()}` }
    const headers = ifMatch === undefined ? authorization : { ...authorization, 'If-Match': `"${ifMatch}"` }
    const response = await request.fetch(fillPath(path, { params, query }), { method, headers, data })
    if (!response.ok() && response.status() !== allowed)
      throw new Error(`${path}: ${response.status()} ${await response.text()}`)
    return await response.json()
  }
  const read = async (id: string) => dataOf(workingCopy).parse(await call(routes.getWorkingCopy, { id })).data
  return {
    read,
    /** Adds a memo to an edition. */
    async add(
      key: string,
      data: { title: string; memo_content: string },
    ): Promise<{ id: string; path: string }> {
      const { id } = dataOf(deskMemo).parse(await call(routes.addMemo, { key }, { data })).data
      return { id, path: `/desk/editions/${key}/memos/${id}` }
    },
    /** Starts an edition, unless it exists. */
    async start(key: string): Promise<void> {
      await call(routes.putEdition, { key }, { data: { status: 'draft' }, allowed: 428 })
    },
    /** Saves other words in a memo, based on what is there. */
    async save(id: string, data: { title?: string; memo_content?: string }): Promise<void> {
      const { version } = await read(id)
      await call(routes.saveWorkingCopy, { id }, { data, ifMatch: version })
    },
    /** Returns all versions of a memo, newest first. */
    async versions(id: string): Promise<TextVersion[]> {
      const ids: string[] = []
      for (let after: string | null = ''; after !== null; ) {
        const query = after === '' ? {} : { after }
        const page = pageOf(textVersionSummary).parse(await call(listMemoVersions, { id }, { query }))
        ids.push(...page.data.map((each) => each.id))
        after = page.next
      }
      const versions: TextVersion[] = []
      for (const version of ids) {
        versions.push(dataOf(textVersion).parse(await call(getMemoVersion, { id, version })).data)
      }
      return versions
    },
  }
}
