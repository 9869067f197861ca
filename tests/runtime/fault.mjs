// Loaded before the deployment package, which stays as it is: looking an item up by one of these keys fails.
const find = Map.prototype.get;

Map.prototype.get = function get(key) {
  const isCollection = (key === 'throw' || key === 'exit') && String(this.keys().next().value).length === 36;
  if (isCollection && key === 'throw') throw new Error('planted');
  if (isCollection) process.exit(1);
  return find.call(this, key);
};
