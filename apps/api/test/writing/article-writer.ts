import { articleWorkingCopy } from '@tidings/contracts/desk/writing/article-writing'
import type { TestDesk } from '../desk.ts'
import { createTextWriter } from './text-writer.ts'

/** Adds an article. Returns its id and the calls of its working copy. */
export async function addWrittenArticle(desk: TestDesk, draft: Record<string, unknown> = {}) {
  const { id } = await desk.addArticle({ title: 'Before', ...draft })
  return { id, writer: createTextWriter(desk, `/articles/${id}`, articleWorkingCopy) }
}
