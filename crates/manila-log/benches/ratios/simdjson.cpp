// The DOM of each line of a file with simdjson, in one piece of memory that is used again; what
// `ratios` compares with. It prints how many lines are JSON.
#include <cstdio>
#include <cstring>
#include <simdjson.h>
#include <vector>

int main(int, char **arguments) {
    std::FILE *file = std::fopen(arguments[1], "rb");
    if (file == nullptr) {
        return 1;
    }
    std::setvbuf(file, nullptr, _IONBF, 0);
    const size_t piece = 512 << 10;
    std::vector<char> memory(piece + simdjson::SIMDJSON_PADDING);
    simdjson::dom::parser parser;
    size_t filled = 0, good = 0;
    while (size_t count = std::fread(memory.data() + filled, 1, piece - filled, file)) {
        filled += count;
        char *start = memory.data(), *behind = start + filled;
        while (void *end = std::memchr(start, '\n', behind - start)) {
            simdjson::dom::element element;
            const size_t length = static_cast<char *>(end) - start;
            // What follows in the memory is the padding that it may look at.
            good += !parser.parse(start, length, false).get(element);
            start = static_cast<char *>(end) + 1;
        }
        filled = behind - start;
        std::memmove(memory.data(), start, filled);
    }
    std::printf("%zu records\n", good);
    return 0;
}
