import type { CheckedLink, MemoReadiness } from '@tidings/contracts/desk/writing/readiness'
import { pictureWidths } from '@tidings/contracts/limits'
import { idOf, keyOf } from '#features/editions/index.ts'
import type { MediaService } from '#features/media/index.ts'
import type { MemoRow } from '#features/memos/index.ts'
import { plainText } from '#platform/html/plain-text.ts'
import type { DuplicateRow } from './duplicates.repository.ts'
import { linksOf } from './links-of-memo.ts'

type Facts = {
  pictures: ReadonlyMap<string, NonNullable<Awaited<ReturnType<MediaService['find']>>>>
  links: ReadonlyMap<string, CheckedLink>
  duplicates: readonly DuplicateRow[]
}

const longTitle = 90
const widest = Math.max(...pictureWidths)

/** Returns what an editor should look at in one memo. */
export function toMemoReadiness(memo: MemoRow, { pictures, links, duplicates }: Facts): MemoReadiness {
  const text = plainText(memo.content)
  const picture = memo.mediaFile === null ? undefined : pictures.get(memo.mediaFile)
  const titleCharacters = [...memo.title].length
  return {
    id: memo.id,
    position: memo.position,
    title: memo.title,
    missing: [
      ...(memo.title.trim() === '' ? (['title'] as const) : []),
      ...(text === '' ? (['memo_content'] as const) : []),
    ],
    titleCharacters,
    isTitleLong: titleCharacters > longTitle,
    words: text.split(/\s+/).filter((word) => word !== '').length,
    picture:
      picture === undefined
        ? null
        : {
            media: picture.file,
            width: picture.width,
            height: picture.height,
            isSmall: picture.width < widest,
            hasAlt: hasAlt(memo),
          },
    links: linksOf(memo).flatMap((url) => links.get(url) ?? []),
    duplicates: duplicates
      .filter(({ memoId }) => memoId === memo.id)
      .map(({ id, title, similarity, ...edition }) => ({
        id,
        edition: keyOf(idOf(edition)),
        title,
        similarity,
      })),
  }
}

/** Returns whether an editor said what a picture shows, or that it is decorative. */
function hasAlt({ mediaAlt }: MemoRow): boolean {
  return mediaAlt !== null
}
