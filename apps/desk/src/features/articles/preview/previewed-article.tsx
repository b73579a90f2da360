import type { GatedArticle } from '@tidings/contracts/articles'
import { TextEditor } from '#features/editor/text-editor.tsx'

type Props = { article: GatedArticle; pictures: Readonly<Record<string, string>> }

/** The article with its picture, as readers get it. */
export function PreviewedArticle({ article, pictures }: Props) {
  const { title, media, media_title, media_alt = '', memo_content, language = '' } = article
  const url = pictures[media]
  return (
    <article lang={language === '' ? undefined : language}>
      <h2 dir="auto">{title}</h2>
      {url !== undefined && (
        <figure>
          <img src={url} alt={media_alt} />
          {media_title !== '' && <figcaption>{media_title}</figcaption>}
        </figure>
      )}
      <TextEditor
        html={memo_content}
        resetKey={memo_content}
        onChange={() => {}}
        label="Text of the preview"
        language={language}
        isReadOnly
      />
    </article>
  )
}
