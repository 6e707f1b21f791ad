/** Vue Router. A page without an origin cannot change its address, so the history is kept in memory. */
import { createMemoryHistory } from 'vue-router'

export * from 'vue-router'

const inMemory = () => createMemoryHistory()

export { inMemory as createWebHistory, inMemory as createWebHashHistory }
