import { useIdleComponent } from '../lib/services/use-idle-component.ts'

const load = async () => (await import('../features/comments/comments.tsx')).Comments

/** The comments of a channel. Their code is fetched once the page is idle. */
export function LazyComments({ channel }: { channel: string }) {
  const Comments = useIdleComponent(load)
  return Comments === null ? null : <Comments channel={channel} />
}
