/** The needs of editors: sends that failed, memos that were left out, dead links and bounces. */
export { registerNeeds } from './needs.routes.ts'
export { createNeeds } from './needs.service.ts'
