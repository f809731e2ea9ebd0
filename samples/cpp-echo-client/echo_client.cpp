// A client of PlayChat in C++, written from proto/PROTOCOL.md alone: logs in and keeps a window of C_ECHO_REQ outstanding on each
// connection. One thread, poll(), POSIX sockets, no library. It compares every answer with its request.
//
// Exit code: 0 when every request was answered rightly, 1 when not or the server refused, 2 when the options are wrong.

#include <arpa/inet.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace {

// Packet ids, "Packets" in PROTOCOL.md.
constexpr std::uint16_t kEchoReq = 1;
constexpr std::uint16_t kHeartbeatNtf = 2;
constexpr std::uint16_t kLoginReq = 10;
constexpr std::uint16_t kEchoRes = 1001;
constexpr std::uint16_t kServerHeartbeatNtf = 1002;
constexpr std::uint16_t kErrorNtf = 1003;
constexpr std::uint16_t kCloseNtf = 1004;
constexpr std::uint16_t kLoginRes = 1010;

constexpr std::size_t kHeaderBytes = 8;          // length(4), packet id(2), request id(2)
constexpr std::size_t kIdBytes = 4;              // of the header, what the length counts
constexpr std::size_t kMaxServerFrame = 1048576; // "Limits": what every client must take
constexpr std::size_t kReadBytes = 64 * 1024;
constexpr std::chrono::seconds kDrainTimeout{10};

using Clock = std::chrono::steady_clock;

struct UsageError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct Options {
    std::string host = "127.0.0.1";
    std::string port = "7777";
    int ccu = 10;
    int inflight = 20;
    int size = 64;
    int seconds = 5;
};

// ---- protobuf, as much as these messages need: fields of wire type 0 (varint) and 2 (length and bytes)

void put_varint(std::string& out, std::uint64_t value) {
    while (value >= 0x80) {
        out.push_back(static_cast<char>(value | 0x80));
        value >>= 7;
    }
    out.push_back(static_cast<char>(value));
}

void put_bytes(std::string& out, unsigned field, std::string_view bytes) {
    put_varint(out, field << 3 | 2);
    put_varint(out, bytes.size());
    out.append(bytes);
}

class Reader {
public:
    explicit Reader(std::string_view message) : rest_(message) {}

    // The next field; false at the end. A field of another wire type is passed over, as the protocol asks for.
    bool next() {
        while (!rest_.empty()) {
            const std::uint64_t tag = varint();
            field = static_cast<unsigned>(tag >> 3);
            number = 0;
            bytes = {};
            switch (tag & 7) {
                case 0: number = varint(); return true;
                case 2: bytes = take(varint()); return true;
                case 1: take(8); break;
                case 5: take(4); break;
                default: throw std::runtime_error("The server sent a message that is no protobuf.");
            }
        }
        return false;
    }

    unsigned field = 0;
    std::uint64_t number = 0;
    std::string_view bytes;

private:
    std::uint64_t varint() {
        std::uint64_t value = 0;
        for (unsigned shift = 0; shift < 64; shift += 7) {
            const auto byte = static_cast<unsigned char>(take(1)[0]);
            value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
            if ((byte & 0x80) == 0) {
                return value;
            }
        }
        throw std::runtime_error("The server sent a number that is too long.");
    }

    std::string_view take(std::uint64_t count) {
        if (count > rest_.size()) {
            throw std::runtime_error("The server sent a message that is cut off.");
        }
        const std::string_view taken = rest_.substr(0, count);
        rest_.remove_prefix(count);
        return taken;
    }

    std::string_view rest_;
};

// The bytes field with a number; empty when it is absent, which means the same.
std::string_view bytes_of(std::string_view message, unsigned field) {
    std::string_view found;
    for (Reader reader(message); reader.next();) {
        if (reader.field == field) {
            found = reader.bytes;
        }
    }
    return found;
}

std::uint64_t number_of(std::string_view message, unsigned field) {
    std::uint64_t found = 0;
    for (Reader reader(message); reader.next();) {
        if (reader.field == field) {
            found = reader.number;
        }
    }
    return found;
}

// ---- packets

struct Packet {
    std::uint16_t id;
    std::uint16_t request;
    std::string_view payload; // valid until its buffer changes
    std::size_t whole;        // bytes, header included
};

void put_packet(std::string& out, std::uint16_t id, std::uint16_t request, std::string_view payload) {
    const auto length = static_cast<std::uint32_t>(kIdBytes + payload.size());
    const std::array<char, kHeaderBytes> header = {
        static_cast<char>(length >> 24), static_cast<char>(length >> 16), static_cast<char>(length >> 8), static_cast<char>(length),
        static_cast<char>(id >> 8), static_cast<char>(id), static_cast<char>(request >> 8), static_cast<char>(request)};
    out.append(header.data(), header.size());
    out.append(payload);
}

// The packet at the front, once all of it is there.
std::optional<Packet> front_packet(std::string_view received) {
    if (received.size() < kHeaderBytes) {
        return std::nullopt;
    }
    const auto at = [received](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(received[i])); };
    const std::uint32_t length = at(0) << 24 | at(1) << 16 | at(2) << 8 | at(3);
    if (length < kIdBytes || length > kMaxServerFrame) {
        throw std::runtime_error("The server sent a length that no packet has.");
    }
    const std::size_t whole = 4 + static_cast<std::size_t>(length);
    if (received.size() < whole) {
        return std::nullopt;
    }
    return Packet{static_cast<std::uint16_t>(at(4) << 8 | at(5)), static_cast<std::uint16_t>(at(6) << 8 | at(7)),
                  received.substr(kHeaderBytes, whole - kHeaderBytes), whole};
}

[[noreturn]] void fail_with(const Packet& packet) {
    // S_ERROR_NTF and S_CLOSE_NTF both have a sentence for a person in field 2.
    throw std::runtime_error((packet.id == kErrorNtf ? "The server refused: " : "The server closes: ") + std::string(bytes_of(packet.payload, 2)));
}

// ---- figures

// Round trips in buckets within 1.6 %: 64 for each power of two, in nanoseconds.
class Histogram {
public:
    void record(std::uint64_t nanoseconds) {
        counts_[bucket(nanoseconds)]++;
        count_++;
        sum_ += static_cast<double>(nanoseconds);
    }

    std::uint64_t count() const { return count_; }

    double mean_us() const { return count_ == 0 ? 0 : sum_ / static_cast<double>(count_) / 1000; }

    double percentile_us(double percent) const {
        const auto rank = static_cast<std::uint64_t>(std::max(1.0, percent / 100 * static_cast<double>(count_) + 0.5));
        std::uint64_t seen = 0;
        for (std::size_t i = 0; i < counts_.size(); i++) {
            seen += counts_[i];
            if (seen >= rank) {
                return static_cast<double>(upper(i)) / 1000;
            }
        }
        return 0;
    }

private:
    static constexpr unsigned kSub = 64;

    static std::size_t bucket(std::uint64_t value) {
        unsigned shift = 0;
        while (value >> shift >= 2 * kSub) {
            shift++;
        }
        return shift * kSub + static_cast<std::size_t>(value >> shift);
    }

    static std::uint64_t upper(std::size_t bucket) {
        if (bucket < 2 * kSub) {
            return bucket;
        }
        const std::size_t shift = bucket / kSub - 1;
        return ((bucket - shift * kSub + 1) << shift) - 1;
    }

    std::vector<std::uint64_t> counts_ = std::vector<std::uint64_t>(60 * kSub);
    std::uint64_t count_ = 0;
    double sum_ = 0;
};

// ---- one connection

class Connection {
public:
    Connection(const Options& options, Histogram& rtt) : options_(options), rtt_(rtt), slots_(static_cast<std::size_t>(options.inflight)) {
        for (int i = 0; i < options.size; i++) {
            payload_.push_back(static_cast<char>(i * 31 + 7));
        }
        open();
    }

    Connection(const Connection&) = delete;
    Connection& operator=(const Connection&) = delete;

    ~Connection() {
        if (file_ >= 0) {
            close(file_);
        }
    }

    // Sends C_LOGIN_REQ and waits for its answer.
    void login(const std::string& name) {
        std::string request;
        put_bytes(request, 1, name);
        put_bytes(request, 3, "cpp-echo-client/1");
        put_packet(out_, kLoginReq, 1, request);
        while (!out_.empty()) {
            write_some();
        }
        for (;;) {
            while (const auto packet = front_packet(received())) {
                if (packet->id == kErrorNtf || packet->id == kCloseNtf) {
                    fail_with(*packet);
                }
                if (packet->id == kLoginRes && packet->request == 1) {
                    const std::uint64_t largest = number_of(bytes_of(packet->payload, 3), 2); // server.max_frame_bytes
                    consumed_ += packet->whole;
                    check_size(largest);
                    fcntl(file_, F_SETFL, fcntl(file_, F_GETFL) | O_NONBLOCK);
                    return;
                }
                consumed_ += packet->whole; // not known, or not ours: passed over
            }
            read_some();
        }
    }

    void start() {
        for (std::size_t slot = 0; slot < slots_.size(); slot++) {
            send_echo(slot);
        }
        write_some();
    }

    // Reads once, handles all that is whole, and answers with one send.
    void on_readable(bool go_on) {
        read_some();
        while (const auto packet = front_packet(received())) {
            handle(*packet, go_on);
            consumed_ += packet->whole;
        }
        if (!out_.empty()) {
            write_some();
        }
    }

    void write_some() {
        const ssize_t sent = send(file_, out_.data() + out_sent_, out_.size() - out_sent_, MSG_NOSIGNAL);
        if (sent < 0 && errno != EAGAIN && errno != EINTR) {
            throw std::runtime_error(std::string("A connection broke: ") + std::strerror(errno));
        }
        out_sent_ += sent > 0 ? static_cast<std::size_t>(sent) : 0;
        if (out_sent_ == out_.size()) {
            out_.clear();
            out_sent_ = 0;
        }
    }

    int file() const { return file_; }
    bool wants_to_write() const { return !out_.empty(); }
    std::uint64_t sent() const { return sent_; }
    std::uint64_t answered() const { return answered_; }

private:
    struct Slot {
        std::uint64_t number = 0;
        Clock::time_point sent_at;
        bool outstanding = false;
    };

    void open() {
        addrinfo hints{};
        hints.ai_socktype = SOCK_STREAM;
        addrinfo* found = nullptr;
        if (const int error = getaddrinfo(options_.host.c_str(), options_.port.c_str(), &hints, &found); error != 0) {
            throw UsageError("The address " + options_.host + ":" + options_.port + " is not known: " + gai_strerror(error));
        }
        int error = 0;
        for (const addrinfo* address = found; address != nullptr && file_ < 0; address = address->ai_next) {
            file_ = socket(address->ai_family, address->ai_socktype, address->ai_protocol);
            if (file_ >= 0 && connect(file_, address->ai_addr, address->ai_addrlen) != 0) {
                error = errno;
                close(file_);
                file_ = -1;
            }
        }
        freeaddrinfo(found);
        if (file_ < 0) {
            throw UsageError("Cannot connect to " + options_.host + ":" + options_.port + ": " + std::strerror(error));
        }
        const int on = 1;
        setsockopt(file_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    }

    void check_size(std::uint64_t largest) const {
        std::string message;
        put_bytes(message, 1, payload_);
        if (largest > 0 && kIdBytes + message.size() > largest) {
            throw UsageError("--size " + std::to_string(options_.size) + " does not fit the server's largest frame, " + std::to_string(largest) + " bytes.");
        }
    }

    std::string_view received() const { return std::string_view(in_).substr(consumed_); }

    void read_some() {
        in_.erase(0, consumed_);
        consumed_ = 0;
        const std::size_t before = in_.size();
        in_.resize(before + kReadBytes);
        const ssize_t count = recv(file_, in_.data() + before, kReadBytes, 0);
        in_.resize(before + (count > 0 ? static_cast<std::size_t>(count) : 0));
        if (count == 0) {
            throw std::runtime_error("The server closed a connection.");
        }
        if (count < 0 && errno != EAGAIN && errno != EINTR) {
            throw std::runtime_error(std::string("A connection broke: ") + std::strerror(errno));
        }
    }

    // Puts the request's number at the front of its payload, so that no two are alike.
    void number_payload(std::uint64_t number) {
        for (std::size_t i = 0; i < std::min<std::size_t>(8, payload_.size()); i++) {
            payload_[i] = static_cast<char>(number >> (8 * i));
        }
    }

    void send_echo(std::size_t slot) {
        slots_[slot] = {sent_, Clock::now(), true};
        number_payload(sent_++);
        message_.clear();
        put_bytes(message_, 1, payload_);
        put_packet(out_, kEchoReq, static_cast<std::uint16_t>(slot + 1), message_);
    }

    void handle(const Packet& packet, bool go_on) {
        switch (packet.id) {
            case kEchoRes: break;
            case kServerHeartbeatNtf: put_packet(out_, kHeartbeatNtf, 0, {}); return;
            case kErrorNtf:
            case kCloseNtf: fail_with(packet);
            default: return; // "a client ignores packets that it does not know"
        }
        const std::size_t slot = packet.request - std::size_t{1};
        if (slot >= slots_.size() || !slots_[slot].outstanding) {
            throw std::runtime_error("An answer came that nothing was asked for.");
        }
        slots_[slot].outstanding = false;
        number_payload(slots_[slot].number);
        if (bytes_of(packet.payload, 1) != payload_) {
            throw std::runtime_error("The answer to request " + std::to_string(slots_[slot].number) + " is not what was sent.");
        }
        answered_++;
        rtt_.record(static_cast<std::uint64_t>(std::chrono::nanoseconds(Clock::now() - slots_[slot].sent_at).count()));
        if (go_on) {
            send_echo(slot);
        }
    }

    const Options& options_;
    Histogram& rtt_;
    std::vector<Slot> slots_; // by request id, from 1
    int file_ = -1;
    std::string payload_;
    std::string message_;
    std::string in_;
    std::size_t consumed_ = 0;
    std::string out_;
    std::size_t out_sent_ = 0;
    std::uint64_t sent_ = 0;
    std::uint64_t answered_ = 0;
};

// ---- the run

int number_option(const std::string& name, const std::string& text, int low, int high) {
    char* end = nullptr;
    const long value = std::strtol(text.c_str(), &end, 10);
    if (text.empty() || *end != '\0' || value < low || value > high) {
        throw UsageError(name + " is '" + text + "'; allowed is " + std::to_string(low) + " to " + std::to_string(high) + ".");
    }
    return static_cast<int>(value);
}

Options parse(int count, char** arguments) {
    Options options;
    for (int i = 1; i < count; i += 2) {
        const std::string name = arguments[i];
        if (i + 1 == count) {
            throw UsageError(name + " needs a value. Options: --host H --port N --ccu N --inflight N --size BYTES --seconds N.");
        }
        const std::string value = arguments[i + 1];
        if (name == "--host") options.host = value;
        else if (name == "--port") options.port = std::to_string(number_option(name, value, 1, 65535));
        else if (name == "--ccu") options.ccu = number_option(name, value, 1, 100000);
        else if (name == "--inflight") options.inflight = number_option(name, value, 1, 65535); // request ids
        else if (name == "--size") options.size = number_option(name, value, 1, 1000000);
        else if (name == "--seconds") options.seconds = number_option(name, value, 1, 86400);
        else throw UsageError("There is no option " + name + ". Options: --host H --port N --ccu N --inflight N --size BYTES --seconds N.");
    }
    return options;
}

int run(const Options& options) {
    Histogram rtt;
    std::vector<std::unique_ptr<Connection>> connections;
    const std::string run = std::to_string(getpid()) + "-" + std::to_string(std::chrono::system_clock::now().time_since_epoch().count() % 1000000);
    for (int i = 0; i < options.ccu; i++) {
        connections.push_back(std::make_unique<Connection>(options, rtt));
        connections.back()->login("cpp-" + run + "-" + std::to_string(i));
    }

    const Clock::time_point begin = Clock::now();
    const Clock::time_point end = begin + std::chrono::seconds(options.seconds);
    for (const auto& connection : connections) {
        connection->start();
    }

    const auto sum = [&connections](std::uint64_t (Connection::*figure)() const) {
        std::uint64_t total = 0;
        for (const auto& connection : connections) {
            total += (connection.get()->*figure)();
        }
        return total;
    };

    std::uint64_t measured = 0;
    std::vector<pollfd> polls(connections.size());
    for (bool measuring = true; measuring || (sum(&Connection::answered) < sum(&Connection::sent) && Clock::now() < end + kDrainTimeout);) {
        for (std::size_t i = 0; i < connections.size(); i++) {
            polls[i] = {connections[i]->file(), static_cast<short>(connections[i]->wants_to_write() ? POLLIN | POLLOUT : POLLIN), 0};
        }
        if (poll(polls.data(), polls.size(), 100) < 0 && errno != EINTR) {
            throw std::runtime_error(std::string("poll: ") + std::strerror(errno));
        }
        for (std::size_t i = 0; i < connections.size(); i++) {
            if (polls[i].revents & POLLOUT) {
                connections[i]->write_some();
            }
            if (polls[i].revents & (POLLIN | POLLHUP | POLLERR)) {
                connections[i]->on_readable(measuring);
            }
        }
        if (measuring && Clock::now() >= end) {
            measuring = false;
            measured = sum(&Connection::answered);
        }
    }

    const std::uint64_t sent = sum(&Connection::sent);
    const std::uint64_t answered = sum(&Connection::answered);
    std::printf("messages    %llu (%.0f/s)\n", static_cast<unsigned long long>(measured), static_cast<double>(measured) / options.seconds);
    std::printf("checked     %llu sent, %llu answered rightly\n", static_cast<unsigned long long>(sent), static_cast<unsigned long long>(answered));
    std::printf("rtt         mean %.1f, p50 %.1f, p99 %.1f us\n", rtt.mean_us(), rtt.percentile_us(50), rtt.percentile_us(99));
    return answered == sent && answered > 0 ? 0 : 1;
}

} // namespace

int main(int count, char** arguments) {
    try {
        return run(parse(count, arguments));
    } catch (const UsageError& e) {
        std::fprintf(stderr, "%s\n", e.what());
        return 2;
    } catch (const std::exception& e) {
        std::fprintf(stderr, "%s\n", e.what());
        return 1;
    }
}
