import { MemoryStore } from '../../../shared/store/memory.js';
import type { OpenStore } from '../../../shared/store/store.js';
import { gateways } from '../../support/gateways/gateways.js';
import { describeList } from './list.js';
import { describeOperations } from './operations.js';

const inMemory: OpenStore = (resource, capacity) => new MemoryStore(resource, capacity);

describeOperations(inMemory, gateways);
describeList(inMemory, gateways);
