import '@tidings/ui/styles/picture.css'
import '@tidings/ui/styles/prose.css'
import type { GatedArticle } from '@tidings/contracts/articles'
import { Picture } from '@tidings/ui/picture'
import { Prose } from '@tidings/ui/prose'
import { sanitizedByServer } from '@tidings/ui/safe-html'
import { type MouseEvent, useId } from 'react'

type Props = { article: GatedArticle; pictures: Readonly<Record<string, string>> }

/** The article with its picture, as readers get it. */
export function PreviewedArticle({ article, pictures }: Props) {
  const { title, media, media_title, media_alt = '', media_focus, memo_content, language = '' } = article
  const titleId = useId()
  const url = pictures[media]
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys click the links too
    <article onClick={openLinkApart} lang={language === '' ? undefined : language} aria-labelledby={titleId}>
      <h2 id={titleId} dir="auto">
        {title}
      </h2>
      {url !== undefined && (
        <figure>
          <Picture
            source={{ src: url, srcSet: '' }}
            caption={media_title}
            alt={media_alt}
            focus={media_focus}
            describedBy={titleId}
          />
          {media_title !== '' && <figcaption dir="auto">{media_title}</figcaption>}
        </figure>
      )}
      <Prose html={sanitizedByServer(memo_content)} />
    </article>
  )
}

/** Opens a link of the text in another tab, so that the desk stays. */
function openLinkApart(event: MouseEvent<HTMLElement>): void {
  const link = event.target instanceof Element ? event.target.closest('a') : null
  if (link === null) return
  event.preventDefault()
  window.open(link.href, '_blank', 'noopener')
}
