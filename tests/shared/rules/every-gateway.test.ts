import { LARGEST_CONTENT } from '../../../shared/gateway/gateway.js';
import { openMemory } from '../../../shared/store/memory.js';
import type { OpenStore } from '../../../shared/store/store.js';
import { gateways } from '../../support/gateways/gateways.js';
import { describeList } from './list.js';
import { describeOperations } from './operations.js';

const inMemory: OpenStore = (resource) => openMemory(resource, LARGEST_CONTENT);

describeOperations(inMemory, gateways);
describeList(inMemory, gateways);
