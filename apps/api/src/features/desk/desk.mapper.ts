import type {
  ArticleChange,
  ArticleDraft,
  AuditEntry,
  DeskArticle,
  DeskEditionSummary,
  DeskMemo,
  MemoChange,
  MemoDraft,
} from '@tidings/contracts/desk'
import { formatWireDate } from '@tidings/contracts/edition-key'
import { z } from 'zod'
import { cleanHtml } from '#platform/html.ts'
import type { ArticleContent, ArticleRow } from '../articles/index.ts'
import { type EditionRow, idOf, keyOf } from '../editions/index.ts'
import type { MemoContent, MemoRow } from '../memos/index.ts'
import type { AuditRow } from './changes/audit.repository.ts'
import { cleanBody } from './html-field.ts'
import { plainField } from './plain-field.ts'

/** An edition as editors read it. */
export function toDeskEdition(edition: EditionRow, memoCount: number): DeskEditionSummary {
  const id = idOf(edition)
  return {
    key: keyOf(id),
    date: formatWireDate(id.date),
    slot: id.slot,
    status: edition.status,
    heldReason: edition.heldReason,
    publishAt: edition.publishAt.toISOString(),
    publishedAt: edition.publishedAt?.toISOString() ?? null,
    memoCount,
    version: edition.version,
    createdAt: edition.createdAt.toISOString(),
    updatedAt: edition.updatedAt.toISOString(),
  }
}

/** A memo as editors read it. */
export function toDeskMemo(memo: MemoRow, edition: EditionRow): DeskMemo {
  return {
    id: memo.id,
    edition: keyOf(idOf(edition)),
    position: memo.position,
    title: memo.title,
    memo_content: memo.content,
    source: memo.source,
    media: memo.mediaFile ?? '',
    media_title: memo.mediaTitle,
    media_text: memo.mediaText,
    counter: memo.likeCount,
    version: memo.version,
    createdAt: memo.createdAt.toISOString(),
    updatedAt: memo.updatedAt.toISOString(),
  }
}

/** What an editor wrote, with its HTML cleaned. */
export function toMemoContent(draft: MemoDraft): MemoContent {
  return {
    title: plainField('title', draft.title),
    content: cleanBody('memo_content', draft.memo_content),
    source: plainField('source', draft.source),
    mediaFile: draft.media === '' ? null : draft.media,
    mediaTitle: plainField('media_title', draft.media_title),
    mediaText: cleanHtml(draft.media_text),
  }
}

/** What an editor changed, with its HTML cleaned; only what was named. */
export function toMemoChange(change: MemoChange): Partial<MemoContent> {
  return {
    ...(change.title === undefined ? {} : { title: plainField('title', change.title) }),
    ...(change.memo_content === undefined ? {} : { content: cleanBody('memo_content', change.memo_content) }),
    ...(change.source === undefined ? {} : { source: plainField('source', change.source) }),
    ...(change.media === undefined ? {} : { mediaFile: change.media === '' ? null : change.media }),
    ...(change.media_title === undefined
      ? {}
      : { mediaTitle: plainField('media_title', change.media_title) }),
    ...(change.media_text === undefined ? {} : { mediaText: cleanHtml(change.media_text) }),
  }
}

/** A gated article as editors read it. */
export function toDeskArticle(article: ArticleRow): DeskArticle {
  return {
    id: article.id,
    title: article.title,
    memo_content: article.content,
    media: article.mediaFile ?? '',
    media_title: article.mediaTitle,
    group: article.group?.key ?? null,
    status: article.status,
    publishedAt: article.publishedAt?.toISOString() ?? null,
    version: article.version,
    createdAt: article.createdAt.toISOString(),
    updatedAt: article.updatedAt.toISOString(),
  }
}

/** An article as an editor wrote it, with its HTML cleaned; its group is looked up elsewhere. */
export function toArticleContent(
  draft: ArticleDraft,
): Omit<ArticleContent, 'groupId' | 'status' | 'publishedAt'> {
  return {
    title: plainField('title', draft.title),
    content: cleanBody('memo_content', draft.memo_content),
    mediaFile: draft.media === '' ? null : draft.media,
    mediaTitle: plainField('media_title', draft.media_title),
  }
}

/** What an editor changed of an article; only what was named. */
export function toArticleChange(change: ArticleChange): Partial<ArticleContent> {
  return {
    ...(change.title === undefined ? {} : { title: plainField('title', change.title) }),
    ...(change.memo_content === undefined ? {} : { content: cleanBody('memo_content', change.memo_content) }),
    ...(change.media === undefined ? {} : { mediaFile: change.media === '' ? null : change.media }),
    ...(change.media_title === undefined
      ? {}
      : { mediaTitle: plainField('media_title', change.media_title) }),
  }
}

/** A line of the audit log; what the site did by itself is signed so. */
export function toAuditEntry(row: AuditRow): AuditEntry {
  return {
    id: row.id,
    at: row.at.toISOString(),
    editor: row.editorKey?.name ?? 'the site itself',
    action: row.action,
    subject: row.subject,
    details: z.record(z.string(), z.unknown()).parse(row.details),
  }
}
