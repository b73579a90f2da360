import { plainText } from '#platform/html/plain-text.ts'
import type { FeedItem } from './feed-item.ts'
import { escapeMarkup } from './markup.ts'

export type Feed = {
  title: string
  description: string
  siteUrl: URL
  /** Its own address; null for a private one, which stays out of the document. */
  selfUrl: URL | null
  language: string
  /** Null for a site that never had an edition. */
  updatedAt: Date | null
  items: readonly FeedItem[]
}

/** Writes a feed as RSS 2.0, with whole entries in `content:encoded` and corrections in `atom:updated`. */
export function toRss({ title, description, siteUrl, selfUrl, language, updatedAt, items }: Feed): string {
  const self =
    selfUrl === null
      ? ''
      : `<atom:link href="${escapeMarkup(selfUrl.href)}" rel="self" type="application/rss+xml"/>`
  return [
    '<?xml version="1.0" encoding="UTF-8"?>\n',
    '<rss version="2.0" xmlns:atom="http://www.w3.org/2005/Atom"',
    ' xmlns:content="http://purl.org/rss/1.0/modules/content/"><channel>',
    element('title', title),
    element('link', siteUrl.href),
    element('description', description),
    element('language', language),
    self,
    updatedAt === null ? '' : element('lastBuildDate', updatedAt.toUTCString()),
    ...items.map(toRssItem),
    '</channel></rss>\n',
  ].join('')
}

function toRssItem({ id, url, title, publishedAt, updatedAt, summary, content }: FeedItem): string {
  return `<item>${[
    element('title', title),
    element('link', url),
    `<guid isPermaLink="false">${escapeMarkup(id)}</guid>`,
    element('pubDate', publishedAt.toUTCString()),
    element('atom:updated', updatedAt.toISOString()),
    element('description', summary),
    content === null ? '' : element('content:encoded', content),
  ].join('')}</item>`
}

function element(name: string, text: string): string {
  return `<${name}>${escapeMarkup(text)}</${name}>`
}

/** Writes a feed as JSON Feed 1.1. */
export function toJsonFeed({ title, description, siteUrl, selfUrl, language, items }: Feed): string {
  return JSON.stringify({
    version: 'https://jsonfeed.org/version/1.1',
    title,
    description,
    home_page_url: siteUrl.href,
    ...(selfUrl !== null && { feed_url: selfUrl.href }),
    language,
    items: items.map(({ id, url, title: name, publishedAt, updatedAt, summary, content }) => ({
      id,
      url,
      title: name,
      summary: plainText(summary),
      content_html: content ?? summary,
      date_published: publishedAt.toISOString(),
      date_modified: updatedAt.toISOString(),
    })),
  })
}
