const { Args, Command } = require('@oclif/core');

class Get extends Command {
  async run() {
    const { args } = await this.parse(Get);
    if (args.id !== '1') throw new Error(`no item ${args.id}`);
    return { id: args.id };
  }
}
Get.description = 'Get an item';
Get.enableJsonFlag = true;
Get.args = { id: Args.string({ required: true }) };
module.exports = Get;
