import { type MemoText, memoText } from '@tidings/contracts/desk/memo-text'
import { type ArticleText, articleText } from '@tidings/contracts/desk/writing/article-writing'
import { z } from 'zod'
import type { TextKind, WorkingCopy } from '#generated/prisma/client.ts'
import { type Db, toJson } from '#platform/database.ts'
import { queryRows } from '#platform/query-rows.ts'
import { fieldVersionsOf } from '#platform/text/field-versions.ts'

/** A working copy, with its fields as the API names them. */
export type TextCopy<Text> = Omit<WorkingCopy, 'fields' | 'changed'> & {
  fields: Text
  changed: Record<string, number>
}
export type MemoCopy = TextCopy<MemoText>
export type ArticleCopy = TextCopy<ArticleText>

type NewCopy<Text> = Omit<TextCopy<Text>, 'kind' | 'createdAt' | 'updatedAt'>
type KindOf<Text> = { kind: TextKind; schema: z.ZodType<Text> }

const memos: KindOf<MemoText> = { kind: 'memo', schema: memoText }
const articles: KindOf<ArticleText> = { kind: 'article', schema: articleText }

function toCopy<Text>({ schema }: KindOf<Text>, row: WorkingCopy): TextCopy<Text> {
  return { ...row, fields: schema.parse(row.fields), changed: fieldVersionsOf(row.changed) }
}

async function findCopy<Text>(db: Db, of: KindOf<Text>, id: string): Promise<TextCopy<Text> | null> {
  const row = await db.workingCopy.findFirst({ where: { id, kind: of.kind } })
  return row === null ? null : toCopy(of, row)
}

export async function findMemoCopy(db: Db, id: string): Promise<MemoCopy | null> {
  return await findCopy(db, memos, id)
}

export async function findArticleCopy(db: Db, id: string): Promise<ArticleCopy | null> {
  return await findCopy(db, articles, id)
}

/** Lists the working copies of an edition: first those of its memos, then those that readers don't have, by place. */
export async function listMemoCopies(db: Db, editionId: string): Promise<MemoCopy[]> {
  const rows = await db.workingCopy.findMany({
    where: { editionId },
    orderBy: [{ place: { sort: 'asc', nulls: 'first' } }, { id: 'asc' }],
  })
  return rows.map((row) => toCopy(memos, row))
}

/** Returns the id of a new memo. Ids grow with time. */
export async function newMemoId(db: Db): Promise<string> {
  const [row] = await queryRows(db, z.object({ id: z.uuid() }))`SELECT uuidv7() AS id`
  if (row === undefined) throw new Error('The database made no id')
  return row.id
}

async function storeCopy<Text extends object>(
  tx: Db,
  of: KindOf<Text>,
  copy: NewCopy<Text>,
  now: Date,
): Promise<TextCopy<Text>> {
  const data = {
    ...copy,
    kind: of.kind,
    fields: toJson(copy.fields),
    changed: toJson(copy.changed),
    updatedAt: now,
  }
  const row = await tx.workingCopy.upsert({
    where: { id: copy.id },
    create: { ...data, createdAt: now },
    update: data,
  })
  return toCopy(of, row)
}

/** Creates a working copy of a memo, or replaces it. */
export async function storeMemoCopy(tx: Db, copy: NewCopy<MemoText>, now: Date): Promise<MemoCopy> {
  return await storeCopy(tx, memos, copy, now)
}

/** Creates a working copy of an article, or replaces it. */
export async function storeArticleCopy(
  tx: Db,
  copy: Omit<NewCopy<ArticleText>, 'editionId' | 'place' | 'isReady'>,
  now: Date,
): Promise<ArticleCopy> {
  return await storeCopy(tx, articles, { ...copy, editionId: null, place: null, isReady: false }, now)
}

/** Places a memo that readers don't have among all memos of its edition, or of another one. */
export async function placeMemoCopy(tx: Db, id: string, place: number, editionId?: string): Promise<void> {
  await tx.workingCopy.update({
    where: { id },
    data: { place, ...(editionId !== undefined && { editionId }) },
  })
}

export async function removeCopy(tx: Db, id: string): Promise<void> {
  await tx.workingCopy.delete({ where: { id } })
}
