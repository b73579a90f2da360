import { NewsScreen } from '../features/news/screen/news-screen.tsx'
import { useServices } from '../lib/services/services.tsx'
import { LazyComments } from './lazy-comments.tsx'

/** The memos of an edition and, where the site wants them, the comments below. */
export function News() {
  const { editionComments } = useServices().config
  return (
    <NewsScreen
      belowMemos={(key) => (editionComments ? <LazyComments channel={`edition:${key}`} key={key} /> : null)}
    />
  )
}
