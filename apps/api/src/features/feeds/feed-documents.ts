import { feedJson, feedRss } from '@tidings/contracts/routes'
import { type CachedResponse, createCachedText } from '#http/responses/cached-response.ts'
import { type Feed, toJsonFeed, toRss } from './feed-formats.ts'
import { toFeedItem } from './feed-item.ts'
import type { EditionWithMemos } from './feeds.repository.ts'

export type FeedFormat = 'rss' | 'json'
type FeedAudience = 'public' | 'member'

/** The editions that feeds are written from, and the documents written so far. */
export type NewestEditions = {
  editions: readonly EditionWithMemos[]
  changedAt: Date | null
  documents: Map<`${FeedAudience} ${FeedFormat}`, CachedResponse>
}

export type FeedSite = { name: string; url: URL; language: string; timeZone: string; hasGate: boolean }

const formats = {
  rss: { path: feedRss.path, contentType: 'application/rss+xml; charset=utf-8', write: toRss },
  json: { path: feedJson.path, contentType: 'application/feed+json; charset=utf-8', write: toJsonFeed },
} as const

/** Returns a document, written at its first use. Members share theirs, so it does not contain its address. */
export function documentOf(
  { editions, changedAt, documents }: NewestEditions,
  site: FeedSite,
  audience: FeedAudience,
  format: FeedFormat,
): CachedResponse {
  const key = `${audience} ${format}` as const
  const known = documents.get(key)
  if (known !== undefined) return known
  const document = writeDocument({ editions, changedAt }, site, audience, format)
  documents.set(key, document)
  return document
}

function writeDocument(
  { editions, changedAt }: Pick<NewestEditions, 'editions' | 'changedAt'>,
  { name, url: siteUrl, language, timeZone, hasGate }: FeedSite,
  audience: FeedAudience,
  format: FeedFormat,
): CachedResponse {
  const { path, contentType, write } = formats[format]
  const isPublic = audience === 'public'
  const options = { siteUrl, language, timeZone, isWhole: !isPublic, withPictures: !hasGate }
  const feed: Feed = {
    title: name,
    description: `The latest editions of ${name}.`,
    siteUrl,
    selfUrl: isPublic ? new URL(path, siteUrl) : null,
    language,
    updatedAt: changedAt,
    items: editions.map((edition) => toFeedItem(edition, options)),
  }
  return createCachedText(write(feed), {
    contentType,
    headers: {
      'Cache-Control': isPublic && !hasGate ? 'public, max-age=300' : 'private, no-cache',
      'Referrer-Policy': 'no-referrer',
      'X-Robots-Tag': 'noindex',
      'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    },
    ...(changedAt !== null && { lastModified: changedAt.toUTCString() }),
  })
}
