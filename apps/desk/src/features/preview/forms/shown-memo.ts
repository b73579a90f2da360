import { pictureWidths } from '@tidings/contracts/limits'
import { correctedAt, formatCorrectionTime } from '@tidings/contracts/site/correction-line'
import { directionOfLanguage } from '@tidings/contracts/site/text-direction'
import { writtenByEditor } from '@tidings/ui/safe-html'
import type { ShownMemo } from '@tidings/ui/shown-memo'
import type { PreviewedMemo } from '../rendering/previewed-edition.ts'

/** Returns a memo as the site shows it. A picture without an address yet is left out. */
export function shownMemo(memo: PreviewedMemo, now: Date): ShownMemo {
  const { id, title, media_text, media_title, media_alt, media_focus, memo_content, language } = memo
  return {
    id,
    // It can't go out like that, and a heading must have a name.
    title: title.trim() === '' ? 'No title yet' : title,
    picture: memo.pictureUrl == null ? null : pictureSource(memo.pictureUrl),
    pictureNote: media_text.trim() === '' ? null : writtenByEditor(media_text),
    caption: media_title,
    alt: media_alt ?? '',
    focus: media_focus,
    body: writtenByEditor(memo_content),
    correction: correctionOf(memo, now),
    source: sourceOf(memo.source),
    language: language === '' ? undefined : language,
    dir: directionOf(language),
  }
}

function pictureSource(url: string) {
  const inWidth = (width: number) => `${url}${url.includes('?') ? '&' : '?'}w=${width}`
  return { src: inWidth(720), srcSet: pictureWidths.map((width) => `${inWidth(width)} ${width}w`).join(', ') }
}

/** A note that readers don't have yet is shown as if it were published now. */
function correctionOf({ note, publicNote }: PreviewedMemo, now: Date): ShownMemo['correction'] {
  if (note === '' && publicNote === null) return null
  const at = note === '' && publicNote !== null ? new Date(publicNote.at) : now
  return {
    label: correctedAt,
    time: formatCorrectionTime(at),
    dateTime: at.toISOString(),
    note: note === '' ? (publicNote?.text ?? '') : note,
  }
}

function sourceOf(source: string): ShownMemo['source'] {
  const url = /^https?:\/\//i.test(source) ? URL.parse(source) : null
  return url === null ? null : { url: source, host: url.hostname.replace(/^www\./, '') }
}

/** A language that is still being typed may be no tag yet. */
function directionOf(language: string): ShownMemo['dir'] {
  if (language === '') return 'auto'
  try {
    return directionOfLanguage(language)
  } catch {
    return 'auto'
  }
}
