import { GatedArticleScreen } from '../features/articles/gated-article-screen.tsx'
import { LazyComments } from './lazy-comments.tsx'

/** A gated article with its comments. */
export function DiscussedArticle() {
  return <GatedArticleScreen belowArticle={(id) => <LazyComments channel={`article:${id}`} key={id} />} />
}
