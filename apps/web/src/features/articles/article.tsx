import { urlOf } from '@tidings/contracts/endpoint'
import { articlePicture } from '@tidings/contracts/routes'
import { Picture } from '@tidings/ui/picture'
import { Prose } from '@tidings/ui/prose'
import { useId, useRef } from 'react'
import { pictureSource } from '#components/picture-source.ts'
import { scrollToAnchor } from '#components/scroll/scroll-anchor.ts'
import { useScrollPlace } from '#components/scroll/use-scroll-place.ts'
import { directionOf } from '#lib/prose/text-direction.ts'
import type { GatedArticle } from './gated-articles.ts'

/** The title, the picture and the text. The reader's place in it is kept for this browser session. */
export function Article({ article }: { article: GatedArticle }) {
  const titleId = useId()
  const text = useRef<HTMLElement>(null)
  // The text's own elements have no ids: the title, the picture and each paragraph count.
  const rows = () =>
    [...(text.current?.querySelectorAll(':scope > *, .prose > *') ?? [])].map((element, index) => ({
      id: String(index),
      element,
    }))

  useScrollPlace({
    name: `article-${article.id}`,
    rows,
    restore: (anchor) => scrollToAnchor(anchor, (id) => rows()[Number(id)]?.element ?? null),
  })

  return (
    <article ref={text} lang={article.language} aria-labelledby={titleId}>
      <h1 id={titleId} dir={directionOf(article.language)}>
        {article.title}
      </h1>
      {article.picture === '' ? null : (
        <figure className="article-picture">
          <Picture
            source={pictureSource((width) =>
              urlOf(articlePicture, { params: { file: article.picture }, query: { w: width } }),
            )}
            caption={article.caption}
            alt={article.alt}
            focus={article.focus}
            describedBy={titleId}
          />
          {article.caption === '' ? null : <figcaption dir="auto">{article.caption}</figcaption>}
        </figure>
      )}
      <Prose html={article.body} dir={directionOf(article.language)} />
    </article>
  )
}
